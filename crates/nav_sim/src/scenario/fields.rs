//! The table of the fields of scenario files: what each must be, in the words of sentences about
//! mistakes.

/// A field: its name with those of the blocks around it, what it must be, and a value that it may
/// have.
pub(super) struct Expected {
    pub(super) field: &'static str,
    pub(super) words: &'static str,
    pub(super) example: &'static str,
}

pub(super) const WHOLE: &str = "a whole number";

/// All fields, a line each. The ranges of numbers are those of
/// [`Scenario::check`](crate::Scenario::check).
const TABLE: &str = r#"
map | a map file in quotes, Drawn(…) or Generated(…) | Generated(kind: "mixed", width: 512, height: 512)
map.kind | a kind of map in quotes | "mixed"
map.percent | a whole number | 20
map.width | a whole number | 512
map.height | a whole number | 512
map.seed | a whole number | 1
map.floors | floors in brackets, each of rows in brackets and quotes | [["..#", "..."]]
heights | Storeys(…) or Each([…]) | Storeys(4.0)
chasers | a whole number | 2000
targets | a whole number | 16
seconds | a number | 60.0
hz | a whole number | 20
seed | a whole number | 1
threads | a whole number | 4
method | the name of a method | auto
roads | auto, file, best or none | auto
budget | a whole number | 20000
spawn | Near(…), Anywhere or Within(…) | Near(min: 5, max: 20)
bodies | None, Soft or Solid | Solid
sizes | whole numbers in brackets | [1, 3]
idle | cells in brackets | [(x: 3, y: 2)]
target_cells | cells in brackets | [(x: 3, y: 2)]
stagger | true or false | true
chaser | fields in parentheses | (radius: 20)
chaser.radius | a whole number | 20
chaser.expansions | a whole number | 150
chaser.cost | a whole number | 1000
chaser.repath_seconds | a number | 0.5
chaser.repath_distance | a number | 0.5
chaser.repath_share | a whole number | 8
chaser.stop_distance | a whole number | 1
chaser.stop_hysteresis | a whole number | 0
chaser.reach | Steps or Sight | Steps
chaser.reach_through_links | true or false | true
chaser.step_seconds | a number | 0.25
chaser.idle_seconds | a number | 0.5
chaser.metric | the name of a metric, or Custom(…) | Octile
chaser.corners | Strict or Cut | Strict
chaser.bodies | Ignore, AvoidNear(…) or AvoidAll | AvoidNear(3)
chaser.classes | costs of 0 to 15 in brackets | [1, 0, 3]
chaser.links | kinds of 0 to 15 in brackets | [3]
chaser.heuristic | the name of a heuristic | OpenGround
chaser.fallback | None, ClosestReached or NearestReachable | ClosestReached
chaser.pace_by_cost | true or false | true
target | fields in parentheses | (stands: true)
target.step_seconds | a number | 0.4
target.stands | true or false | true
"#;

/// Returns all fields.
fn all() -> impl Iterator<Item = Expected> {
    TABLE.lines().filter_map(|line| {
        let (field, rest) = line.split_once(" | ")?;
        let (words, example) = rest.split_once(" | ")?;
        Some(Expected {
            field,
            words,
            example,
        })
    })
}

/// Returns what a field must be.
pub(super) fn find(field: &str) -> Option<Expected> {
    all().find(|known| known.field == field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;
    use serde_json::Value;

    #[test]
    fn examples_can_be_read() {
        for known in all() {
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
        let of_scenario = all().filter(|known| !known.field.starts_with("map."));
        assert_eq!(of_scenario.count(), fields.len());
    }
}
