//! `chase compare`, from the outside.

use crate::common::Program;
use nav_formats::{Format, MapFile};
use nav_grid::{Cell, Grid};
use serde_json::{Value, json};

const METHODS: [&str; 9] = [
    "dijkstra", "auto", "line", "astar", "sweep", "jps", "portal", "mosaic", "trunk",
];

const METRICS: [&str; 5] = ["unit", "fourway", "grid", "twothree", "octile"];

fn rows(report: &Value) -> &Vec<Value> {
    report["methods"].as_array().unwrap()
}

fn row<'a>(report: &'a Value, method: &str) -> &'a Value {
    let mut rows = rows(report).iter();
    rows.find(|row| row["method"] == method).unwrap()
}

fn caves(test: &str) -> Program {
    let program = Program::new(test);
    program.succeed("generate caves --size 90x70 --seed 4 caves.txt");
    program
}

#[test]
fn every_method_has_a_row() {
    let program = caves("every_method_has_a_row");
    let table = program.succeed("compare caves.txt");
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("caves.txt: 90x70 cells, "), "{table}");
    assert!(
        lines[1].contains(", drawn by seed 1; metric unit"),
        "{table}"
    );
    assert!(lines[1].ends_with("corners strict, body 1x1"), "{table}");
    assert!(lines[4].starts_with("method    found "), "{table}");
    let named: Vec<&str> = lines[5..14]
        .iter()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(named, METHODS, "{table}");
    assert_eq!(lines[14], "");
    let notes = lines[15..].join("\n");
    assert!(
        notes.contains("line: the straight way is not free\n"),
        "{table}"
    );
    assert!(notes.contains("auto: answered by portal\n"), "{table}");
    assert!(notes.contains("median of 5 searches"), "{table}");
    let wide = lines.iter().find(|line| line.len() > 100);
    assert_eq!(wide, None, "fits a terminal");
}

#[test]
fn no_cost_below_dijkstra() {
    let program = caves("no_cost_is_below");
    for metric in METRICS {
        for options in ["", "--corners cut", "--size 2", "--seed 7"] {
            let report = program.json(&format!("compare caves.txt --metric {metric} {options}"));
            let least = row(&report, "dijkstra")["cost"].as_u64().unwrap();
            for row in rows(&report).iter().filter(|row| row["found"] == true) {
                let (cost, over) = (row["cost"].as_u64().unwrap(), row["over_percent"].as_f64());
                assert!(cost >= least, "{metric} {options}: {row}");
                let expected = 100.0 * (cost as f64 / least as f64 - 1.0);
                assert!((over.unwrap() - expected).abs() < 1e-9, "{row}");
            }
            for exact in ["astar", "mosaic"] {
                assert_eq!(row(&report, exact)["cost"], least, "{metric} {options}");
            }
        }
    }
}

#[test]
fn json_has_every_field() {
    let program = caves("json_has_every_field");
    let report = program.json("compare caves.txt --metric octile --size 2 --seed 3");
    let fields: Vec<&String> = report.as_object().unwrap().keys().collect();
    assert_eq!(
        fields,
        [
            "floors",
            "from",
            "height",
            "map",
            "methods",
            "rules",
            "searches_max",
            "seed",
            "to",
            "walkable",
            "width",
        ]
    );
    assert_eq!(report["seed"], 3);
    assert_eq!(report["rules"]["metric"], "Octile");
    assert_eq!(rows(&report).len(), METHODS.len());
    for row in rows(&report) {
        let fields: Vec<&String> = row.as_object().unwrap().keys().collect();
        assert_eq!(
            fields,
            [
                "answered_by",
                "cost",
                "expanded",
                "found",
                "method",
                "over_percent",
                "prepare_ms",
                "scanned",
                "search_us",
                "searches",
                "status",
                "steps",
                "why",
            ]
        );
        assert_eq!(row["found"] == true, row["why"].is_null(), "{row}");
        assert_eq!(row["found"] == true, row["cost"].is_u64(), "{row}");
    }
    let sweep = row(&report, "sweep");
    assert_eq!(sweep["status"], json!({"Unsupported": "Window"}));
    assert!(sweep["search_us"].is_null());
}

#[test]
fn given_ends_are_compared() {
    let program = Program::new("given_ends").with("yard.txt", "....\n.##.\n....\n");
    let report = program.json("compare yard.txt 0,1 3,1");
    assert_eq!(
        (&report["from"], &report["to"]),
        (&json!([0, 1, 0]), &json!([3, 1, 0]))
    );
    assert!(report["seed"].is_null());
    for method in [
        "dijkstra", "auto", "astar", "sweep", "jps", "portal", "mosaic",
    ] {
        let row = row(&report, method);
        assert_eq!(
            (&row["cost"], &row["steps"]),
            (&json!(5), &json!(5)),
            "{row}"
        );
        assert_eq!(row["searches"], 5);
    }
}

#[test]
fn path_of_one_cell() {
    let program = Program::new("one_cell").with("yard.txt", "....\n.##.\n....\n");
    let report = program.json("compare yard.txt 0,1 0,1");
    for row in rows(&report) {
        assert_eq!(
            (&row["found"], &row["cost"]),
            (&json!(true), &json!(0)),
            "{row}"
        );
        assert_eq!(row["over_percent"], 0.0, "{row}");
    }
}

#[test]
fn reasons_for_no_path() {
    let program = caves("reasons_for_no_path");
    let report = program.json("compare caves.txt --metric fourway");
    let why = |method| row(&report, method)["why"].as_str().unwrap_or_default();
    assert_eq!(why("line"), "the straight way is not free");
    assert_eq!(
        why("sweep"),
        "it searches at most 28 cells around the start, and this map has 90x70"
    );
    assert_eq!(
        why("jps"),
        "it cannot count by the metric fourway, only by those with diagonal steps"
    );
    assert_eq!(
        why("trunk"),
        "it walks by main roads, and this map has none"
    );
}

#[test]
fn goal_out_of_reach() {
    let program = Program::new("goal_out_of_reach").with("sealed.txt", "..#.\n..##\n....\n");
    let report = program.json("compare sealed.txt 0,0 3,0");
    for method in [
        "dijkstra", "auto", "astar", "sweep", "jps", "portal", "mosaic",
    ] {
        let row = row(&report, method);
        assert_eq!(row["why"], "no path leads there", "{row}");
        assert!(row["over_percent"].is_null());
    }
}

#[test]
fn unsupported_ground() {
    let mut grid = Grid::open(40, 30).unwrap();
    for x in 0..40 {
        grid.set_cost(Cell::new(x, 9), 5).unwrap();
    }
    let map = MapFile::from(grid).with_roads((0..40).map(|x| Cell::new(x, 3)));
    let file = Format::Binary.write(&map, "").unwrap();
    let program = Program::new("ground_not_served").with("swamp.navgrid", file);
    let report = program.json("compare swamp.navgrid 0,0 39,4");
    let jps = row(&report, "jps");
    assert_eq!(
        jps["why"],
        "it cannot count step costs, and this map has some"
    );
    assert_eq!(row(&report, "trunk")["found"], true);
}

#[test]
fn same_seed_same_ends() {
    let program = caves("same_seed_same_ends");
    let ends = |seed: u32| {
        let report = program.json(&format!("compare caves.txt --seed {seed}"));
        (report["from"].clone(), report["to"].clone())
    };
    assert_eq!(ends(5), ends(5));
    assert_ne!(ends(5), ends(6));
}
