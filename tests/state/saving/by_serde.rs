//! Values that go through serde alone.

use super::scene::busy;
use nav::{Chaser, NavMap, extend::AgentIds};
use nav_behaviour::Notice;
use nav_grid::{Frame, Grid, Metric, map::Axes, rules::StepCosts};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap();
    assert_eq!(&back, value, "through {text}");
}

#[test]
fn notice_names_only_differences() {
    let notice: Notice = serde_json::from_str(r#"{"range":7}"#).unwrap();
    assert_eq!(notice, Notice::new(7));
}

#[test]
fn every_resource_survives_serde() {
    let (world, ..) = busy();
    round_trip(world.clock());
    round_trip(world.diagnostics());
    round_trip(world.app.world().resource::<AgentIds>());
}

#[test]
fn map_keeps_its_frame() {
    let frame = Frame::new([-30.0, 4.0, 30.0], 0.25, Axes::Y_UP).unwrap();
    round_trip(&NavMap::with_frame(Grid::open(7, 9).unwrap(), frame));
}

#[test]
fn own_step_costs_are_checked() {
    let costs = StepCosts::new(5, 7).unwrap();
    for costs in [costs, costs.adding(5).unwrap()] {
        round_trip(&Metric::Custom(costs));
    }
    for wrong in ["5,11,0", "5,7,6"] {
        let metric = format!(r#"{{"Custom":[{wrong}]}}"#);
        let error = serde_json::from_str::<Metric>(&metric).unwrap_err();
        assert!(
            error.to_string().starts_with("steps cannot cost 5 and"),
            "{error}"
        );
    }
}

#[test]
fn tuning_names_only_differences() {
    let chaser: Chaser = serde_json::from_str(r#"{"stop_distance":3}"#).unwrap();
    assert_eq!(chaser.stop_distance, 3);
    assert_eq!(chaser.limits, Chaser::default().limits);
    let typo = serde_json::from_str::<Chaser>(r#"{"stop_distanse":3}"#);
    assert!(typo.unwrap_err().to_string().contains("stop_distanse"));
}
