//! The protocol's document, its schema and the messages agree.
//!
//! The schema is checked by the few rules of JSON Schema that it uses; an unknown one fails.

use super::scene::Watched;
use nav_protocol::{Ask, Packet, Request, Update, Vanish};
use serde_json::{Map, Value};
use std::{collections::BTreeSet, fs, path::Path};

fn read(name: &str) -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = package.parent().unwrap().join("docs/book/src");
    fs::read_to_string(docs.join(name)).unwrap()
}

/// Returns the blocks of JSON in the document.
fn examples() -> Vec<String> {
    let text = read("protocol.md");
    let blocks = text.split("```json\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.collect()
}

/// Checks a value against a schema; `Err` names the place that differs.
fn check(value: &Value, schema: &Map<String, Value>, root: &Value) -> Result<(), String> {
    for (rule, wanted) in schema {
        let holds = match rule.as_str() {
            "$schema" | "title" | "$defs" => true,
            "$ref" => {
                let name = wanted.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                let named = root["$defs"][name].as_object().expect(name);
                check(value, named, root)?;
                true
            }
            "oneOf" => {
                let choices = wanted.as_array().unwrap().iter();
                let fits =
                    |choice: &&Value| check(value, choice.as_object().unwrap(), root).is_ok();
                choices.filter(fits).count() == 1
            }
            "const" => value == wanted,
            "enum" => wanted.as_array().unwrap().contains(value),
            "type" => match wanted.as_str().unwrap() {
                "integer" => value.is_u64(),
                "number" => value.is_number(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                "array" => value.is_array(),
                "object" => value.is_object(),
                other => panic!("unknown type {other}"),
            },
            "minimum" => value.as_f64() >= wanted.as_f64(),
            "maximum" => value.as_f64() <= wanted.as_f64(),
            "exclusiveMinimum" => value.as_f64() > wanted.as_f64(),
            "minItems" => value.as_array().map_or(0, Vec::len) as u64 >= wanted.as_u64().unwrap(),
            "maxItems" => value.as_array().map_or(0, Vec::len) as u64 <= wanted.as_u64().unwrap(),
            "minProperties" => {
                value.as_object().map(Map::len) >= wanted.as_u64().map(|most| most as usize)
            }
            "maxProperties" => {
                value.as_object().map(Map::len) <= wanted.as_u64().map(|most| most as usize)
            }
            "items" => {
                let items = value.as_array().into_iter().flatten();
                let schema = wanted.as_object().unwrap();
                items
                    .clone()
                    .try_for_each(|item| check(item, schema, root))?;
                true
            }
            "required" => {
                let mut names = wanted.as_array().unwrap().iter();
                names.all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "properties" => {
                for (name, schema) in wanted.as_object().unwrap() {
                    if let Some(value) = value.get(name) {
                        check(value, schema.as_object().unwrap(), root)?;
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object().unwrap();
                let names = value.as_object().into_iter().flatten();
                names.clone().all(|(name, _)| known.contains_key(name))
            }
            other => panic!("unknown rule {other}"),
        };
        if !holds {
            return Err(format!("{value} is against {rule}: {wanted}"));
        }
    }
    Ok(())
}

fn fits(value: &Value) -> Result<(), String> {
    let schema: Value = serde_json::from_str(&read("protocol.schema.json")).unwrap();
    check(value, schema.as_object().unwrap(), &schema)
}

#[test]
fn examples_are_messages() {
    let (mut kinds, mut requests) = (BTreeSet::new(), 0);
    for example in examples() {
        let value: Value = serde_json::from_str(&example).unwrap();
        fits(&value).unwrap();
        if value.get("ask").is_some() {
            Request::from_json(example.as_bytes()).unwrap();
            requests += 1;
            continue;
        }
        let packet = Packet::from_json(example.as_bytes()).unwrap();
        // The example has every field that a message would have.
        assert_eq!(serde_json::to_value(&packet).unwrap(), value);
        kinds.extend(
            packet
                .updates
                .iter()
                .map(std::mem::discriminant)
                .map(|kind| format!("{kind:?}")),
        );
    }
    assert_eq!((kinds.len(), requests), (6, 2), "all kinds of messages");
}

#[test]
fn every_field_is_documented() {
    let text = read("protocol.md");
    let schema: Value = serde_json::from_str(&read("protocol.schema.json")).unwrap();
    for (name, of) in schema["$defs"].as_object().unwrap() {
        for field in of
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let field = field.0;
            assert!(
                text.contains(&format!("`{field}`")) || text.contains(&format!("{field}\":")),
                "{field} of {name} is not in the document"
            );
        }
    }
}

#[test]
fn messages_match_the_schema() {
    let mut watched = Watched::open(60, 40, (30, 20));
    let target = watched.world.target((20, 20));
    for n in 0..4 {
        watched.world.chaser((30 + n, 18), target);
    }
    watched.ticks(20);
    watched.world.put(target, (50, 30));
    watched.ticks(60);
    let mut updates = 0;
    for packet in &watched.sent {
        let value: Value = serde_json::from_str(&packet.to_json().unwrap()).unwrap();
        fits(&value).unwrap();
        updates += packet.updates.len();
    }
    assert!(updates > 10);
    for ask in [Ask::Resync, Ask::Again(vec![1])] {
        let json = Request::from(ask).to_json().unwrap();
        fits(&serde_json::from_str(&json).unwrap()).unwrap();
    }
}

#[test]
fn schema_refuses_wrong_messages() {
    let update = Update::Vanish(Vanish { id: 1 });
    let packet = Packet::new(1, 1, vec![update]);
    let good = serde_json::to_value(packet).unwrap();
    fits(&good).unwrap();
    for (pointer, wrong) in [
        ("/version", Value::from(3)),
        ("/sequence", Value::from("1")),
        ("/updates/0/vanish/id", Value::from(-1)),
        (
            "/updates/0",
            serde_json::json!({"vanish": {"id": 1}, "place": {"id": 1}}),
        ),
    ] {
        let mut value = good.clone();
        *value.pointer_mut(pointer).unwrap() = wrong;
        assert!(fits(&value).is_err(), "{pointer}");
    }
}
