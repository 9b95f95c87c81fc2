//! The table of the fields of scenario files: what each must be, in the words of sentences about mistakes.

/// A field: its name with those of the blocks around it, what it must be, and a value that it may have.
pub(super) struct Expected {
    pub(super) field: &'static str,
    pub(super) words: &'static str,
    pub(super) example: &'static str,
}

pub(super) const WHOLE: &str = "a whole number";
const NUMBER: &str = "a number";
const SWITCH: &str = "true or false";
const CELLS: &str = "cells in brackets";
const FIELDS: &str = "fields in parentheses";

const fn expected(field: &'static str, words: &'static str, example: &'static str) -> Expected {
    Expected {
        field,
        words,
        example,
    }
}

/// All fields. The ranges of numbers are those of [`Scenario::check`](crate::Scenario::check).
pub(super) const EXPECTED: &[Expected] = &[
    expected(
        "map",
        "a map file in quotes, Drawn(…) or Generated(…)",
        "Generated(kind: \"mixed\", width: 512, height: 512)",
    ),
    expected("map.kind", "a kind of map in quotes", "\"mixed\""),
    expected("map.percent", WHOLE, "20"),
    expected("map.width", WHOLE, "512"),
    expected("map.height", WHOLE, "512"),
    expected("map.seed", WHOLE, "1"),
    expected(
        "map.floors",
        "floors in brackets, each of rows in brackets and quotes",
        "[[\"..#\", \"...\"]]",
    ),
    expected("heights", "Storeys(…) or Each([…])", "Storeys(4.0)"),
    expected("chasers", WHOLE, "2000"),
    expected("targets", WHOLE, "16"),
    expected("seconds", NUMBER, "60.0"),
    expected("hz", WHOLE, "20"),
    expected("seed", WHOLE, "1"),
    expected("threads", WHOLE, "4"),
    expected("method", "the name of a method", "auto"),
    expected("roads", "auto, file, best or none", "auto"),
    expected("budget", WHOLE, "20000"),
    expected(
        "spawn",
        "Near(…), Anywhere or Within(…)",
        "Near(min: 5, max: 20)",
    ),
    expected("bodies", "None, Soft or Solid", "Solid"),
    expected("sizes", "whole numbers in brackets", "[1, 3]"),
    expected("idle", CELLS, "[(x: 3, y: 2)]"),
    expected("target_cells", CELLS, "[(x: 3, y: 2)]"),
    expected("stagger", SWITCH, "true"),
    expected("chaser", FIELDS, "(radius: 20)"),
    expected("chaser.radius", WHOLE, "20"),
    expected("chaser.expansions", WHOLE, "150"),
    expected("chaser.cost", WHOLE, "1000"),
    expected("chaser.repath_seconds", NUMBER, "0.5"),
    expected("chaser.repath_distance", NUMBER, "0.5"),
    expected("chaser.repath_share", WHOLE, "8"),
    expected("chaser.stop_distance", WHOLE, "1"),
    expected("chaser.stop_hysteresis", WHOLE, "0"),
    expected("chaser.reach", "Steps or Sight", "Steps"),
    expected("chaser.reach_through_links", SWITCH, "true"),
    expected("chaser.step_seconds", NUMBER, "0.25"),
    expected("chaser.idle_seconds", NUMBER, "0.5"),
    expected(
        "chaser.metric",
        "the name of a metric, or Custom(…)",
        "Octile",
    ),
    expected("chaser.corners", "Strict or Cut", "Strict"),
    expected(
        "chaser.bodies",
        "Ignore, AvoidNear(…) or AvoidAll",
        "AvoidNear(3)",
    ),
    expected(
        "chaser.classes",
        "costs of 0 to 15 in brackets",
        "[1, 0, 3]",
    ),
    expected("chaser.links", "kinds of 0 to 15 in brackets", "[3]"),
    expected("chaser.heuristic", "the name of a heuristic", "OpenGround"),
    expected(
        "chaser.fallback",
        "None, ClosestReached or NearestReachable",
        "ClosestReached",
    ),
    expected("chaser.pace_by_cost", SWITCH, "true"),
    expected("target", FIELDS, "(stands: true)"),
    expected("target.step_seconds", NUMBER, "0.4"),
    expected("target.stands", SWITCH, "true"),
];

/// Returns what a field must be.
pub(super) fn find(field: &str) -> Option<&'static Expected> {
    EXPECTED.iter().find(|known| known.field == field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;
    use serde_json::Value;

    #[test]
    fn examples_can_be_read() {
        for known in EXPECTED {
            let value = match known.field.split_once('.') {
                None => format!("({}: {})", known.field, known.example),
                Some(("map", "floors")) => format!("(map: Drawn(floors: {}))", known.example),
                Some(("map", field)) => {
                    let others = [("kind", "\"clutter\""), ("width", "9"), ("height", "9")];
                    let others = others.map(|(name, value)| {
                        let value = if name == field { known.example } else { value };
                        format!("{name}: {value}, ")
                    });
                    let extra = match field {
                        "percent" | "seed" => format!("{field}: {}", known.example),
                        _ => String::new(),
                    };
                    format!("(map: Generated({}{extra}))", others.concat())
                }
                Some((block, field)) => format!("({block}: ({field}: {}))", known.example),
            };
            Scenario::parse(value.as_bytes()).unwrap_or_else(|error| panic!("{value}: {error}"));
        }
    }

    #[test]
    fn every_field_is_known() {
        let json = serde_json::to_value(Scenario::default()).unwrap();
        let names = |block: &Value, prefix: &str| -> Vec<String> {
            let fields = block.as_object().unwrap().keys();
            fields.map(|field| format!("{prefix}{field}")).collect()
        };
        let mut fields = names(&json, "");
        fields.extend(names(&json["chaser"], "chaser."));
        fields.extend(names(&json["target"], "target."));
        for field in &fields {
            assert!(find(field).is_some(), "{field} is not in the table");
        }
        let of_scenario = EXPECTED
            .iter()
            .filter(|known| !known.field.starts_with("map."));
        assert_eq!(of_scenario.count(), fields.len());
    }
}
