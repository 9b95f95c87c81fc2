//! Circles in a graph of names.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// For each node the nodes that it uses, and the names that it uses of them.
pub type Graph = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The circles of a graph, each as lines to print: who uses what of whom. Nodes that can all be
/// reached from each other are one circle, whatever number of ways round there is in it; of more
/// than two nodes, a shortest way round is printed too.
pub fn circles(graph: &Graph) -> Vec<String> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = graph
        .keys()
        .map(|node| (node, reachable(graph, node)))
        .collect();
    let mut done = BTreeSet::new();
    let mut circles = Vec::new();
    for (&node, from_node) in &reached {
        if !from_node.contains(node) || done.contains(node) {
            continue;
        }
        let inside: BTreeSet<&String> = (from_node.iter().copied())
            .filter(|other| reached.get(other).is_some_and(|far| far.contains(node)))
            .collect();
        let mut lines = vec![format!("a circle of {}:", inside.len())];
        if inside.len() > 2 {
            let rounds = inside.iter().map(|node| shortest_round(graph, node));
            let shortest = rounds.min_by_key(Vec::len).unwrap_or_default();
            lines.push(format!("  in short: {}", shortest.join(" -> ")));
        }
        for &user in &inside {
            for (used, names) in graph[user].iter().filter(|(used, _)| inside.contains(used)) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                lines.push(format!("  {user} -> {used}: {}", names.join(", ")));
            }
        }
        done.extend(inside);
        circles.push(lines.join("\n"));
    }
    circles
}

/// The nodes to which uses lead from one; the one itself only if a circle leads back.
fn reachable<'a>(graph: &'a Graph, from: &str) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for used in graph.get(node).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(used) {
                open.push(used);
            }
        }
    }
    reached
}

/// A shortest way from a node back to itself, both ends included; the node must be in a circle.
fn shortest_round<'a>(graph: &'a Graph, node: &'a String) -> Vec<&'a str> {
    let mut came_from: BTreeMap<&String, &String> = BTreeMap::new();
    let mut open = VecDeque::from([node]);
    while !came_from.contains_key(node)
        && let Some(next) = open.pop_front()
    {
        for used in graph.get(next).into_iter().flat_map(BTreeMap::keys) {
            came_from.entry(used).or_insert_with(|| {
                open.push_back(used);
                next
            });
        }
    }
    let mut round = vec![node.as_str()];
    let mut at = node;
    loop {
        at = came_from[at];
        round.push(at);
        if at == node {
            break;
        }
    }
    round.reverse();
    round
}
