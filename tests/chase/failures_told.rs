//! Events of `tracing` for chases that fail.

use nav::OnMap;
use nav_tests::TestWorld;
use std::{
    fmt::Debug,
    sync::{Arc, Mutex},
};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
    subscriber::with_default,
};

/// Keeps the messages of events.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.0.lock().unwrap().push(format!("{value:?}"));
        }
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("nav")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// Events in five seconds of chasers beside each other, whose target is behind a wall or on no map.
fn told(chasers: u16, is_on_map: bool) -> Vec<String> {
    let mut world = TestWorld::new(&[
        "..........................", //
        "##########################",
        "..........................",
    ]);
    let player = world.target((12, 2));
    if !is_on_map {
        world.world().entity_mut(player).remove::<OnMap>();
    }
    for x in 0..chasers {
        world.chaser((x, 0), player);
    }
    let log = Log::default();
    with_default(log.clone(), || world.seconds(5));
    log.0.lock().unwrap().clone()
}

#[test]
fn failure_is_told_once() {
    let told = told(1, true);
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("found no way to its target"), "{told:#?}");
}

#[test]
fn many_failures_in_short() {
    let told = told(20, false);
    assert_eq!(told.len(), 17, "{told:#?}");
    let (explained, rest) = told.split_at(16);
    let is_explained = |said: &String| said.contains("the target is on no map");
    assert!(explained.iter().all(is_explained), "{told:#?}");
    assert_eq!(rest, ["more chases failed in this tick"]);
}
