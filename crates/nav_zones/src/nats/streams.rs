//! Streams of a world at the broker: found and checked, or created.

use super::{
    connect::{NatsConnection, is_missing, unreachable},
    options::NatsError,
};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use std::{fmt::Display, time::Duration};

/// Messages that a stream has to keep. Every other setting is the operator's.
#[derive(Clone, Copy)]
pub(super) struct Keeps {
    /// Age up to which messages are needed; `None` for ever.
    pub(super) age: Option<Duration>,
    /// Number of messages that are needed; `None` for all.
    pub(super) messages: Option<i64>,
    /// The same for each subject.
    pub(super) of_subject: Option<i64>,
}

impl Keeps {
    /// All messages, for ever.
    pub(super) const ALL: Self = Self {
        age: None,
        messages: None,
        of_subject: None,
    };

    /// Returns a setting by which a stream loses messages that are needed, if there is one, and the
    /// command that mends it.
    fn lost_by(&self, config: &Config) -> Option<(String, String)> {
        let edit = |flag: &str| format!("nats stream edit {flag} {}", config.name);
        if config.storage == StorageType::Memory {
            let why = "it is in memory, which a restart of the broker loses".to_owned();
            let command = format!(
                "nats stream rm {}`, and begin a world with `zones run",
                config.name
            );
            return Some((why, command));
        }
        if config.retention != RetentionPolicy::Limits {
            let why = "it drops what a consumer has read".to_owned();
            return Some((why, edit("--retention limits")));
        }
        let age = config.max_age;
        if !age.is_zero() && self.age.is_none_or(|needed| age < needed) {
            let needed = self.age.unwrap_or_default().as_secs();
            return Some((
                format!("it drops messages after {age:?}"),
                edit(&format!("--max-age {needed}s")),
            ));
        }
        let is_short =
            |most: i64, needed: Option<i64>| most > 0 && needed.is_none_or(|needed| most < needed);
        let most = config.max_messages_per_subject;
        if is_short(most, self.of_subject) && !config.discard_new_per_subject {
            let needed = self.of_subject.unwrap_or(-1);
            let why = format!("it keeps {most} messages of a subject");
            return Some((why, edit(&format!("--max-msgs-per-subject {needed}"))));
        }
        // A full stream that refuses new messages loses none: zones wait for room.
        if config.discard == DiscardPolicy::New {
            return None;
        }
        if is_short(config.max_messages, self.messages) {
            let (most, needed) = (config.max_messages, self.messages.unwrap_or(-1));
            let why = format!("it keeps the last {most} messages");
            return Some((why, edit(&format!("--max-msgs {needed}"))));
        }
        if config.max_bytes > 0 {
            let why = format!("it keeps the last {} bytes", config.max_bytes);
            return Some((why, edit("--max-bytes -1")));
        }
        None
    }
}

/// Opens a stream as it is, or creates it if it is missing.
///
/// # Errors
///
/// [`NatsError::Lossy`] if the stream loses messages that are needed; [`NatsError::Stream`].
pub(super) fn open<T, E: Display>(
    connection: &NatsConnection,
    name: &str,
    keeps: Keeps,
    create: impl AsyncFnOnce() -> Result<T, E>,
) -> Result<Stream, NatsError> {
    let context = connection.context();
    let opened = connection.ask(async {
        match context.get_stream(name).await {
            Err(error) if is_missing(error.kind()) => {}
            found => return found.map_err(unreachable),
        }
        create().await.map_err(unreachable)?;
        context.get_stream(name).await.map_err(unreachable)
    });
    let stream = opened.map_err(|error| NatsError::Stream {
        name: name.to_owned(),
        why: error.to_string(),
    })?;
    match keeps.lost_by(&stream.cached_info().config) {
        None => Ok(stream),
        Some((setting, command)) => Err(NatsError::Lossy {
            stream: name.to_owned(),
            setting,
            command,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Keeps = Keeps {
        age: Some(Duration::from_hours(1)),
        ..Keeps::ALL
    };

    const LAST_TEN: Keeps = Keeps {
        messages: Some(10),
        of_subject: Some(1),
        ..Keeps::ALL
    };

    #[test]
    fn settings_that_lose_messages() {
        type Change = fn(&mut Config);
        let minute: Change = |config| config.max_age = Duration::from_mins(1);
        let hour: Change = |config| config.max_age = Duration::from_hours(1);
        let nine: Change = |config| config.max_messages = 9;
        let full: Change = |config| {
            (config.max_messages, config.max_bytes) = (9, 9);
            config.discard = DiscardPolicy::New;
        };
        let one: Change = |config| config.max_messages_per_subject = 1;
        let bytes: Change = |config| config.max_bytes = 9;
        let memory: Change = |config| config.storage = StorageType::Memory;
        let queue: Change = |config| config.retention = RetentionPolicy::WorkQueue;
        let replicas: Change = |config| config.num_replicas = 3;
        for (number, (keeps, change, flag)) in [
            (Keeps::ALL, replicas, None),
            (Keeps::ALL, minute, Some("--max-age 0s")),
            (HOUR, minute, Some("--max-age 3600s")),
            (HOUR, hour, None),
            (Keeps::ALL, nine, Some("--max-msgs -1")),
            (LAST_TEN, nine, Some("--max-msgs 10")),
            (Keeps::ALL, full, None),
            (Keeps::ALL, one, Some("--max-msgs-per-subject -1")),
            (LAST_TEN, one, None),
            (LAST_TEN, bytes, Some("--max-bytes -1")),
            (HOUR, memory, Some("rm w_ledger")),
            (HOUR, queue, Some("--retention limits")),
        ]
        .into_iter()
        .enumerate()
        {
            let mut config = Config {
                name: "w_ledger".into(),
                ..Config::default()
            };
            change(&mut config);
            let command = keeps.lost_by(&config).map(|(_, command)| command);
            let is_expected = match (&command, flag) {
                (Some(command), Some(flag)) => {
                    command.contains(flag) && command.contains("w_ledger")
                }
                (command, flag) => command.is_none() && flag.is_none(),
            };
            assert!(is_expected, "{number}: {command:?}, not {flag:?}");
        }
    }
}
