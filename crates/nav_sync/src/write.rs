//! Writes packets with the changes of each view.

use crate::{
    agents::{Agents, ShownAgent},
    clock::SyncClock,
    counts::SyncCounts,
    settings::SyncSettings,
    views::{View, Views},
    watcher::Watcher,
    wire,
};
use bevy_ecs::prelude::*;
use nav::{NavMap, nav_grid::map::UpAxis};
use nav_protocol::{
    AgentKind, Appear, BYTES_MAX, LinkAhead, Packet, PathAhead, Place, Start, UPDATES_MAX, Up,
    Update, Vanish,
};

/// Writes the changes of each view into the outbox of its watcher.
pub(crate) fn write_packets(
    clock: Res<SyncClock>,
    settings: Res<SyncSettings>,
    agents: Res<Agents>,
    mut views: ResMut<Views>,
    mut counts: ResMut<SyncCounts>,
    mut watchers: Query<&mut Watcher>,
    maps: Query<&NavMap>,
) {
    let Views { all, slots, .. } = &mut *views;
    for view in all {
        let Ok(mut watcher) = watchers.get_mut(view.watcher) else {
            continue;
        };
        let watcher = &mut *watcher;
        if watcher.outbox.len() > settings.outbox {
            watcher.outbox.clear();
            watcher.wants_resync = true;
        }
        watcher.send_again();
        let may_begin = clock.tick >= view.began.saturating_add(settings.resync_interval);
        if watcher.wants_resync && may_begin || is_of_other_length(view.tick_micros, &clock) {
            view.is_new = true;
        }
        slots.clear();
        let mut updates = Vec::new();
        if view.is_new {
            // A view without a map does not start. If it had one, it ends.
            let Some(start) = start(view, &maps, &clock) else {
                write_end(view, watcher, &clock, &settings, &mut counts);
                continue;
            };
            view.is_new = false;
            view.began = clock.tick;
            view.tick_micros = start.tick_micros;
            watcher.wants_resync = false;
            counts.starts += 1;
            updates.push(Update::Start(start));
            slots.extend_from_slice(&view.seen);
            view.came.clear();
            view.left.clear();
        } else {
            // Vanish precedes Appear: an id may leave and come back as another entity in one tick.
            view.left.sort_unstable();
            updates.extend(view.left.drain(..).map(|id| Update::Vanish(Vanish { id })));
            slots.append(&mut view.came);
        }
        add_agents(view, slots, &agents, clock.tick, &mut updates);
        write(view, watcher, updates, &clock, &settings, &mut counts);
    }
}

/// Adds the agents that came, which are in `slots`, then others that changed in this tick.
fn add_agents(
    view: &View,
    slots: &mut Vec<u32>,
    agents: &Agents,
    tick: u32,
    updates: &mut Vec<Update>,
) {
    let count = slots.len();
    slots.sort_unstable_by_key(|&slot| agents.get(slot).id);
    for &slot in &*slots {
        let agent = agents.get(slot);
        updates.push(Update::Appear(Appear {
            id: agent.id,
            kind: agent.kind,
            at: agent.at,
        }));
        if agent.kind == AgentKind::Chaser {
            updates.push(way_of(agent, tick));
        }
    }
    let seen = view.seen.iter().copied();
    slots.extend(seen.filter(|&slot| agents.changed[slot as usize] == tick));
    slots[count..].sort_unstable_by_key(|&slot| agents.get(slot).id);
    let (came, news) = slots.split_at(count);
    for &slot in news {
        let agent = agents.get(slot);
        let has_come = came.binary_search_by_key(&agent.id, |&slot| agents.get(slot).id);
        if has_come.is_err() {
            updates.push(match agent.kind {
                AgentKind::Chaser => way_of(agent, tick),
                AgentKind::Player => Update::Place(Place {
                    id: agent.id,
                    at: agent.at,
                }),
            });
        }
    }
}

/// Returns whether the tick length differs from the one sent by more than an eighth.
///
/// Then the view starts again, since clients learn the length only from a start. The eighth is a
/// guess.
fn is_of_other_length(known: u32, clock: &SyncClock) -> bool {
    let micros = clock.tick_micros();
    known != 0 && known.abs_diff(micros) > known / 8
}

/// Returns the start of a view, if it has a map.
fn start(view: &View, maps: &Query<&NavMap>, clock: &SyncClock) -> Option<Start> {
    let frame = maps.get(view.map?).ok()?.frame();
    Some(Start {
        tick_micros: clock.tick_micros(),
        cell_size: wire::size(frame.cell_size()),
        up: match frame.axes().up {
            UpAxis::Y => Up::Y,
            UpAxis::Z => Up::Z,
        },
    })
}

/// Returns the update of a chaser: the rest of its path, or its stand.
fn way_of(agent: &ShownAgent, tick: u32) -> Update {
    if !agent.walks() {
        return Update::Correct(agent.stand);
    }
    let path = &agent.path;
    let passed = path.arrivals[1..]
        .iter()
        .take_while(|&&after| path.tick.saturating_add(after) <= tick)
        .count();
    if passed == 0 {
        return Update::Path(path.clone());
    }
    // A watcher that sees the chaser later gets only the rest of its path.
    let base = path.arrivals[passed];
    let passed_points = passed as u16;
    Update::Path(PathAhead {
        tick: path.tick.saturating_add(base),
        nav_path: path.nav_path[passed..].to_vec(),
        arrivals: path.arrivals[passed..]
            .iter()
            .map(|after| after - base)
            .collect(),
        jumps: path
            .jumps
            .iter()
            .filter_map(|jump| jump.checked_sub(passed_points))
            .collect(),
        links: path
            .links
            .iter()
            .filter_map(|link| {
                let point = link.point.checked_sub(passed_points)?;
                (point > 0).then_some(LinkAhead { point, ..*link })
            })
            .collect(),
        ..*path
    })
}

/// Ends a view without a map: all its agents vanish.
fn write_end(
    view: &mut View,
    watcher: &mut Watcher,
    clock: &SyncClock,
    settings: &SyncSettings,
    counts: &mut SyncCounts,
) {
    view.came.clear();
    view.left.sort_unstable();
    let left = view.left.drain(..);
    let gone: Vec<Update> = left.map(|id| Update::Vanish(Vanish { id })).collect();
    if !gone.is_empty() && view.began > 0 {
        write(view, watcher, gone, clock, settings, counts);
    }
}

/// The most bytes of an update in JSON, without the points of its path. A path with the longest
/// numbers has 180.
const UPDATE_BYTES: usize = 256;

/// The most bytes of a point of a path in JSON: three coordinates of 14 characters, an arrival of
/// 10 and a jump of 5, with commas and brackets.
const POINT_BYTES: usize = 64;

/// More bytes than a link takes in JSON, after the longest one: `{"point":255,"kind":15},`.
const LINK_BYTES: usize = 32;

/// Returns how many of the first updates fit into a packet: at most [`UPDATES_MAX`], and in JSON,
/// which is longer than postcard, at most [`BYTES_MAX`].
fn fitting(updates: &[Update]) -> usize {
    let mut left = BYTES_MAX - UPDATE_BYTES;
    let fitting = updates.iter().take(UPDATES_MAX).take_while(|update| {
        let lists = match update {
            Update::Path(path) => path.nav_path.len() * POINT_BYTES + path.links.len() * LINK_BYTES,
            _ => 0,
        };
        let rest = left.checked_sub(UPDATE_BYTES + lists);
        left = rest.unwrap_or(0);
        rest.is_some()
    });
    fitting.count()
}

/// Puts updates into the outbox, in as many packets as needed. Without updates, writes an empty
/// packet when the heartbeat is due.
fn write(
    view: &mut View,
    watcher: &mut Watcher,
    mut updates: Vec<Update>,
    clock: &SyncClock,
    settings: &SyncSettings,
    counts: &mut SyncCounts,
) {
    let is_silent = clock.tick >= view.written.saturating_add(settings.heartbeat.max(1));
    if updates.is_empty() && !is_silent {
        return;
    }
    view.written = clock.tick;
    counts.updates += updates.len() as u64;
    loop {
        let rest = updates.split_off(fitting(&updates));
        watcher.sequence = watcher.sequence.wrapping_add(1);
        let packet = Packet::new(watcher.sequence, clock.tick, updates);
        watcher.send(packet, settings.history);
        counts.packets += 1;
        if rest.is_empty() {
            return;
        }
        updates = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_protocol::POINTS_MAX;

    /// The longest path: every number has as many characters as it can have.
    fn longest() -> Update {
        Update::Path(PathAhead {
            id: u64::MAX,
            tick: u32::MAX,
            speed: 1.234_567_9e-38,
            chases: Some(u64::MAX),
            reach: 1.234_567_9e-38,
            nav_path: vec![[-1.234_567_9e-38; 3]; POINTS_MAX],
            arrivals: (0..POINTS_MAX as u32)
                .map(|n| if n == 0 { 0 } else { u32::MAX })
                .collect(),
            jumps: (0..POINTS_MAX as u16).step_by(2).collect(),
            links: (1..POINTS_MAX as u16)
                .step_by(2)
                .map(|point| LinkAhead { point, kind: 15 })
                .collect(),
        })
    }

    #[test]
    fn longest_packets() {
        let mut updates = vec![longest(); UPDATES_MAX];
        let mut packets = 0;
        while !updates.is_empty() {
            let rest = updates.split_off(fitting(&updates));
            let packet = Packet::new(u32::MAX, u32::MAX, updates);
            let json = packet.to_json().unwrap();
            assert!(json.len() <= BYTES_MAX, "{} bytes", json.len());
            assert_eq!(Packet::from_json(json.as_bytes()).unwrap(), packet);
            let bytes = packet.to_postcard().unwrap();
            assert_eq!(Packet::from_postcard(&bytes).unwrap(), packet);
            packets += 1;
            updates = rest;
        }
        assert!(packets > 1);
        let vanish = vec![Update::Vanish(Vanish { id: u64::MAX }); 3 * UPDATES_MAX];
        assert_eq!(fitting(&vanish), UPDATES_MAX);
    }
}
