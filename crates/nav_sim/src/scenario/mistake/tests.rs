//! Sentences about mistakes in scenarios.

use crate::Scenario;

/// A scenario, and the sentence about its first mistake.
const CASES: &[(&str, &str)] = &[
    (
        "(chaser: 30)",
        "line 1, column 10: chaser must be fields in parentheses, such as (radius: 20), not 30",
    ),
    (
        "(chazers: 30)",
        "line 1, column 2: there is no field chazers; did you mean chasers?",
    ),
    (
        "(chasers: many)",
        "line 1, column 11: chasers must be a whole number, such as 2000, not many",
    ),
    (
        "(chasers: \"many\")",
        "line 1, column 11: chasers must be a whole number, such as 2000, not \"many\"",
    ),
    (
        "(chasers: 5.5)",
        "line 1, column 11: chasers must be a whole number, such as 2000, not 5.5",
    ),
    (
        "(chasers: -5)",
        "line 1, column 11: -5 is too small for chasers; a usual value is 2000",
    ),
    (
        "(chasers: 99999999999)",
        "line 1, column 11: 99999999999 is too great for chasers; a usual value is 2000",
    ),
    (
        "(chasers: 10k)",
        "line 1, column 11: chasers must be a whole number, such as 2000, not 10k",
    ),
    (
        "(chasers: 1,000)",
        "line 1, column 13: expected a field, such as chasers: 500, not 000: numbers have no commas",
    ),
    (
        "(chasers: )",
        "line 1, column 11: chasers has no value: it must be a whole number, such as 2000",
    ),
    (
        "(chasers: 5",
        "line 1, column 11: the file ends before the parenthesis that ends the scenario",
    ),
    (
        "(chasers: 5))",
        "line 1, column 13: nothing may follow the parenthesis that ends the scenario, and ) does",
    ),
    (
        "(chasers: 5 targets: 3)",
        "line 1, column 13: a comma is missing before targets",
    ),
    (
        "(chasers 5)",
        "line 1, column 9: a colon is missing after chasers, as in chasers: 500",
    ),
    (
        "(chasers = 5)",
        "line 1, column 9: a colon is missing after chasers, as in chasers: 500",
    ),
    (
        "chasers: 5",
        "line 1, column 1: a scenario is fields in parentheses, such as (chasers: 500), not chasers: 5",
    ),
    (
        "{\"chasers\": 5}",
        "line 1, column 1: a scenario is fields in parentheses, such as (chasers: 500), not {\"chasers\": 5}",
    ),
    ("", "line 1, column 1: the file is empty: () is a scenario"),
    (
        "(chasers: 5, chasers: 6)",
        "line 1, column 14: chasers is there twice",
    ),
    (
        "(chasers: 5, # a comment\n)",
        "line 1, column 14: comments begin with //, not with # a comment",
    ),
    (
        "(chasers: 5, /* a comment )",
        "line 1, column 16: */ is missing, which ends the comment",
    ),
    (
        "(: 5)",
        "line 1, column 2: expected a field, such as chasers: 500, not : 5",
    ),
    (
        "(map: town.tmx)",
        "line 1, column 7: the name of a map file is in quotes: map: \"town.tmx\"",
    ),
    (
        "(map: maps/town.tmx)",
        "line 1, column 7: the name of a map file is in quotes: map: \"maps/town.tmx\"",
    ),
    (
        "(map: 'town.tmx')",
        "line 1, column 7: the name of a map file is in quotes: map: \"town.tmx\"",
    ),
    (
        "(map: “town.tmx”)",
        "line 1, column 7: the name of a map file is in quotes: map: \"town.tmx\"",
    ),
    (
        "(map: \"town.tmx)",
        "line 1, column 7: a quote that ends the string is missing",
    ),
    (
        "(map: 7)",
        "line 1, column 7: map must be a map file in quotes, Drawn(…) or Generated(…), such as Generated(kind: \"mixed\", width: 512, height: 512), not 7",
    ),
    (
        "(map: Generated(kind: mixed, width: 9, height: 9))",
        "line 1, column 23: map.kind must be a kind of map in quotes, such as \"mixed\", not mixed",
    ),
    (
        "(map: Generated(kind: \"mixed\", wide: 9, height: 9))",
        "line 1, column 32: there is no field wide in map; there are kind, percent, width, height, seed, floors, links",
    ),
    (
        "(map: Generated(kind: \"mixed\", height: 9))",
        "line 1, column 41: map has no width: it must be a map file in quotes, Drawn(…) or Generated(…), such as Generated(kind: \"mixed\", width: 512, height: 512)",
    ),
    (
        "(map: Generated(kind: \"mixed\", width: 70000, height: 9))",
        "line 1, column 39: 70000 is too great for map.width; a usual value is 512",
    ),
    (
        "(map: Drawn(floors: [\"..#\"]))",
        "line 1, column 21: map.floors must be floors in brackets, each of rows in brackets and quotes, such as [[\"..#\", \"...\"]], not [\"..#\"]",
    ),
    (
        "(seconds: \"10\")",
        "line 1, column 11: seconds must be a number, such as 60.0, not \"10\"",
    ),
    (
        "(stagger: yes)",
        "line 1, column 11: stagger must be true or false, not yes",
    ),
    (
        "(threads: all)",
        "line 1, column 11: threads must be a whole number, such as 4, not all",
    ),
    (
        "(method: A*)",
        "line 1, column 10: method must be auto, line, astar, sweep, jps, portal, mosaic, trunk or dijkstra, not A",
    ),
    (
        "(method: \"jps\")",
        "line 1, column 10: method must be the name of a method, such as auto, not \"jps\"",
    ),
    (
        "(roads: Auto)",
        "line 1, column 9: roads must be auto, file, best or none, not Auto; did you mean auto?",
    ),
    (
        "(bodies: solid)",
        "line 1, column 10: bodies must be None, Soft or Solid, not solid; did you mean Solid?",
    ),
    (
        "(bodies: 3)",
        "line 1, column 10: bodies must be None, Soft or Solid, not 3",
    ),
    (
        "(spawn: near)",
        "line 1, column 9: spawn must be Near, Anywhere or Within, not near; did you mean Near?",
    ),
    (
        "(spawn: Near(min: 1))",
        "line 1, column 20: spawn has no max: it must be Near(…), Anywhere or Within(…), such as Near(min: 5, max: 20)",
    ),
    (
        "(spawn: Near(5, 20))",
        "line 1, column 9: spawn must be Near(…), Anywhere or Within(…), such as Near(min: 5, max: 20), not Near(5, 20)",
    ),
    (
        "(spawn: Near(min: 1, mox: 2))",
        "line 1, column 22: there is no field mox in spawn; did you mean max?",
    ),
    (
        "(sizes: 3)",
        "line 1, column 9: sizes must be whole numbers in brackets, such as [1, 3], not 3",
    ),
    (
        "(sizes: [1, x])",
        "line 1, column 9: sizes must be whole numbers in brackets, such as [1, 3], not [1, x]",
    ),
    (
        "(idle: [(3, 2)])",
        "line 1, column 8: idle must be cells in brackets, such as [(x: 3, y: 2)], not [(3, 2)]",
    ),
    (
        "(idle: [(x: 3)])",
        "line 1, column 14: idle has no y: it must be cells in brackets, such as [(x: 3, y: 2)]",
    ),
    (
        "(heights: 4.0)",
        "line 1, column 11: heights must be Storeys(…) or Each([…]), such as Storeys(4.0), not 4.0",
    ),
    (
        "(\n  chaser: (radios: 3),\n)",
        "line 2, column 12: there is no field radios in chaser; did you mean radius?",
    ),
    (
        "(\n  chaser: (radius: 3.5, cost: 7),\n)",
        "line 2, column 20: chaser.radius must be a whole number, such as 20, not 3.5",
    ),
    (
        "(chaser: (metric: unit))",
        "line 1, column 19: chaser.metric must be Unit, FourWay, Grid, TwoThree, Octile or Custom, not unit; did you mean Unit?",
    ),
    (
        "(chaser: (metric: Custom(5, 7)))",
        "line 1, column 19: chaser.metric must be the name of a metric, or Custom(…), such as Octile, not Custom(5, 7)",
    ),
    (
        "(chaser: (bodies: AvoidNear))",
        "line 1, column 19: chaser.bodies must be Ignore, AvoidNear(…) or AvoidAll, such as AvoidNear(3), not AvoidNear",
    ),
    (
        "(chaser: (classes: [1, 16]))",
        "line 1, column 26: chaser.classes: terrain class 1 cannot cost 16: it must be 0, for not to be entered, to 15",
    ),
    (
        "(chaser: (links: [99]))",
        "line 1, column 19: chaser.links: there is no link kind 99: it must be 0 to 15",
    ),
    (
        "(chaser: Chaser(radius: 3))",
        "line 1, column 10: chaser must be fields in parentheses, such as (radius: 20), not Chaser(radius: 3)",
    ),
    (
        "(chaser: {radius: 30})",
        "line 1, column 10: chaser must be fields in parentheses, such as (radius: 20), not {radius: 30}",
    ),
    (
        "(target: stands)",
        "line 1, column 10: target must be fields in parentheses, such as (stands: true), not stands",
    ),
    (
        "(target: (stand: true))",
        "line 1, column 11: there is no field stand in target; did you mean stands?",
    ),
];

#[test]
fn mistakes_in_plain_words() {
    for (text, sentence) in CASES {
        let said = Scenario::parse(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(said, *sentence, "{text}");
    }
}
