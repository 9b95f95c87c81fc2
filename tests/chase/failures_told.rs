//! Events of `tracing` for chases that fail.

use nav::OnMap;
use nav_tests::TestWorld;
use std::{cell::RefCell, fmt::Debug, sync::Once};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
    subscriber::{Interest, set_global_default},
};

thread_local! {
    /// The messages of this thread, if it listens.
    static MESSAGES: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Keeps the messages of events by thread.
///
/// For the whole process: where a subscriber is of one thread, an event that another thread meets
/// first counts as unwanted.
struct Log;

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            MESSAGES
                .with_borrow_mut(|messages| messages.as_mut().unwrap().push(format!("{value:?}")));
        }
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("nav") && MESSAGES.with_borrow(Option::is_some)
    }

    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        // Other threads do not listen.
        Interest::sometimes()
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Self);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// Events in five seconds of chasers beside each other, whose target is behind a wall or on no map.
fn told(chasers: u16, is_on_map: bool) -> Vec<String> {
    static LOGS: Once = Once::new();
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
    LOGS.call_once(|| set_global_default(Log).unwrap());
    MESSAGES.set(Some(Vec::new()));
    world.seconds(5);
    MESSAGES.take().unwrap()
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
