//! All values that differ from a value in one place.

use serde::de::DeserializeOwned;
use serde_json::Value;
use std::any::type_name;

/// Places that cannot change alone: the sides of a map, which follow from its number of cells, and
/// its indexes where none are built.
const BOUND: [&str; 10] = [
    "/grid/width",
    "/grid/height",
    "/grid/floors",
    "/built/regions",
    "/built/portals",
    "/built/mosaic",
    "/built/roads",
    "/plain",
    "/news",
    "/building",
];

/// Returns every value that differs from one in one place, and the difference as text.
pub fn variants<T: DeserializeOwned + PartialEq>(value: &Value, original: &T) -> Vec<(String, T)> {
    let mut places = Vec::new();
    list_leaves(value, String::new(), &mut places);
    assert!(!places.is_empty(), "{} has no state", type_name::<T>());
    places
        .into_iter()
        .flat_map(|place| {
            let leaf = value.pointer(&place).expect("a place in the value");
            let others = alternatives::<T>(value, &place, leaf);
            let changed: Vec<(String, T)> = others
                .into_iter()
                .filter_map(|other| {
                    let mut copy = value.clone();
                    let text = format!("{place} = {other}");
                    *copy.pointer_mut(&place).expect("a place in the copy") = other;
                    let changed: T = serde_json::from_value(copy).ok()?;
                    (changed != *original).then_some((text, changed))
                })
                .collect();
            let is_bound = BOUND.contains(&place.as_str());
            assert!(!changed.is_empty() || is_bound, "{place} cannot change");
            changed
        })
        .collect()
}

/// Lists the places of all numbers, flags, names and absent values.
fn list_leaves(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                list_leaves(field, format!("{place}/{name}"), places);
            }
        }
        // Empty layers are changed by edits.
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                list_leaves(item, format!("{place}/{index}"), places);
            }
        }
        _ => places.push(place),
    }
}

/// Returns the values that a leaf could have instead.
fn alternatives<T: DeserializeOwned>(value: &Value, place: &str, leaf: &Value) -> Vec<Value> {
    match leaf {
        Value::Bool(flag) => vec![(!flag).into()],
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().expect("a number");
            vec![(number + 0.25).into(), (number - 0.25).into()]
        }
        // A word may hold several fields, so each bit is one alternative.
        Value::Number(number) => {
            let number = number.as_u64().expect("no field is negative");
            let bits = (0..64).map(|bit| (number ^ 1 << bit).into());
            bits.collect()
        }
        // The error names the other variants.
        Value::String(_) => {
            let mut copy = value.clone();
            *copy.pointer_mut(place).expect("a place in the copy") = "?".into();
            let error = serde_json::from_value::<T>(copy).err();
            let error = error.expect("no variant has this name").to_string();
            let names = error.split('`').skip(3).step_by(2);
            names.map(Value::from).collect()
        }
        _ => Vec::new(),
    }
}
