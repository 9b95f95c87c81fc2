//! Calls that the broker does not permit. It says so beside the call, which gets no answer.

use super::connect::now;
use async_nats::{Event, ServerError};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// Sentences that are kept: far more than the subjects of a process.
const KEPT: usize = 1024;

/// Calls that the broker did not permit, each with the last time.
#[derive(Default)]
pub(super) struct Violations(Mutex<BTreeMap<String, Instant>>);

impl Violations {
    /// Records an event of the connection, if it is a violation. Logs the first of each.
    pub(super) fn note(&self, event: &Event) {
        let Event::ServerError(ServerError::Other(text)) = event else {
            return;
        };
        let Some(what) = forbidden(text) else {
            return;
        };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains_key(&what) && known.len() < KEPT {
            tracing::warn!("the broker does not permit this user to {what}: add the permission");
        }
        if known.len() < KEPT {
            known.insert(what, now());
        }
    }

    /// Returns the last violation since a time.
    pub(super) fn since(&self, time: Instant) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = known.iter().max_by_key(|&(_, &at)| at);
        last.filter(|&(_, &at)| at >= time)
            .map(|(what, _)| what.clone())
    }
}

/// Returns what a message of the broker does not permit.
fn forbidden(text: &str) -> Option<String> {
    let (call, rest) = text.split_once(" to \"")?;
    let (subject, _) = rest.split_once('"')?;
    let action = match call.to_ascii_lowercase().as_str() {
        "permissions violation for publish" => "publish to",
        "permissions violation for subscription" => "subscribe to",
        _ => return None,
    };
    Some(format!("{action} {subject}"))
}

#[cfg(test)]
mod tests {
    use super::forbidden;

    #[test]
    fn messages_of_a_broker() {
        for (text, what) in [
            (
                "Permissions Violation for Publish to \"w.events\"",
                Some("publish to w.events"),
            ),
            (
                "Permissions Violation for Subscription to \"w.bus.0\" using queue \"q\"",
                Some("subscribe to w.bus.0"),
            ),
            ("Authorization Violation", None),
            ("Stale Connection to \"x\"", None),
        ] {
            assert_eq!(forbidden(text).as_deref(), what, "{text}");
        }
    }
}
