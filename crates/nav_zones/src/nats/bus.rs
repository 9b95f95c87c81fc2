//! Bus over a broker: a subject for each zone.

use super::{
    connect::{NatsConnection, now, unreachable},
    options::NatsError,
    parts::{Joiner, PartName, cuts},
};
use crate::{Bus, BusError, ZoneId, envelope::BYTES_MAX, keeper::KeeperError};
use async_nats::{HeaderMap, Message, RequestErrorKind, Subscriber};
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Header of a message that is part of a larger one.
const PART: &str = "Nav-Part";

/// Time in which another task notes what the broker does not permit. A guess: it takes
/// microseconds.
const NOTED: Duration = Duration::from_millis(5);

/// [`Bus`] over a broker.
///
/// Messages go through the broker's memory: those on their way when it stops are lost. While it is
/// away or does not keep up, [`send`](Bus::send) fails at once, since zones repeat what is still
/// true. Messages above the broker's limit are sent in parts, up to 256 MiB in all. Dropping the
/// bus waits until all messages are on their way.
pub struct NatsBus {
    connection: NatsConnection,
    subscriber: Subscriber,
    joiner: Joiner,
    /// Number of messages that could not be read.
    damaged: u64,
    /// Unique name of this end.
    name: String,
    /// Number of messages sent in parts.
    split: u64,
}

impl NatsBus {
    /// Creates the end for a zone. Messages sent to the zone from now on arrive here.
    ///
    /// # Errors
    ///
    /// [`NatsError::Refused`] if the broker does not answer.
    pub fn new(connection: &NatsConnection, zone: ZoneId) -> Result<Self, NatsError> {
        let client = connection.client();
        let subject = connection.names().bus(zone);
        let since = now();
        let subscribed = connection.ask(async {
            let subscriber = client.subscribe(subject).await.map_err(unreachable)?;
            // The broker handles the requests of one connection in order: once it answers this one,
            // whatever it says, the subscription exists.
            let answer = client.request("$JS.API.INFO", Bytes::new()).await;
            match answer.map_err(|error| (error.kind(), error)) {
                Err((kind, error)) if kind != RequestErrorKind::NoResponders => {
                    return Err(unreachable(error));
                }
                _ => {}
            }
            // Another task notes what is not permitted.
            sleep(NOTED).await;
            match connection.forbidden(since) {
                Some(what) => Err(KeeperError::Forbidden(what)),
                None => Ok(subscriber),
            }
        });
        let subscriber = subscribed.map_err(|error| NatsError::Refused {
            server: client.server_info().host,
            why: error.to_string(),
        })?;
        Ok(Self {
            connection: connection.clone(),
            subscriber,
            joiner: Joiner::default(),
            damaged: 0,
            name: connection.unique_name(),
            split: 0,
        })
    }

    /// Hands a message to the connection, which holds some.
    fn hand_on(&self, subject: String, headers: HeaderMap, payload: Bytes) -> Result<(), BusError> {
        if !self.connection.is_connected() {
            return Err(BusError("the broker is away".to_owned()));
        }
        let client = self.connection.client();
        let handed = async {
            if headers.is_empty() {
                return client.publish(subject, payload).await;
            }
            client.publish_with_headers(subject, headers, payload).await
        };
        match handed.now_or_never() {
            Some(handed) => handed.map_err(|error| BusError(error.to_string())),
            None => Err(BusError("the broker does not keep up".to_owned())),
        }
    }
}

impl Bus for NatsBus {
    fn send(&mut self, to: ZoneId, message: Vec<u8>) -> Result<(), BusError> {
        if message.len() > BYTES_MAX {
            let bytes = message.len();
            let why = format!("{bytes} bytes are too many: at most {BYTES_MAX} go to a zone");
            return Err(BusError(why));
        }
        let subject = self.connection.names().bus(to);
        let payload = Bytes::from(message);
        let part_max = self.connection.payload_max();
        if payload.len() <= part_max {
            return self.hand_on(subject, HeaderMap::new(), payload);
        }
        self.split += 1;
        let cuts = cuts(payload.len(), part_max);
        let parts = cuts.len() as u32;
        for (cut, part) in cuts.zip(0..) {
            let name = PartName {
                sender: &self.name,
                message: self.split,
                part,
                parts,
            };
            let mut headers = HeaderMap::new();
            headers.insert(PART, name.text());
            self.hand_on(subject.clone(), headers, payload.slice(cut))?;
        }
        Ok(())
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<Vec<u8>>, BusError> {
        let Self {
            connection,
            subscriber,
            joiner,
            damaged,
            ..
        } = self;
        let next = async {
            loop {
                let Some(message) = subscriber.next().await else {
                    return Err(BusError("it was closed".to_owned()));
                };
                if let Some(whole) = take(message, joiner, damaged) {
                    return Ok(whole);
                }
            }
        };
        if wait.is_zero() {
            // A timer has a resolution of a millisecond, which would be waited for.
            return next.now_or_never().transpose();
        }
        let received = connection.block_on(async { timeout(wait, next).await });
        match received.map_err(BusError)? {
            Ok(message) => message.map(Some),
            Err(_) => Ok(None),
        }
    }

    fn damaged(&self) -> u64 {
        self.damaged + self.joiner.dropped()
    }
}

impl Drop for NatsBus {
    /// Waits until all messages are on their way, up to the timeout, if the broker is there.
    fn drop(&mut self) {
        let connection = &self.connection;
        if !connection.is_connected() {
            return;
        }
        let flushed = async { timeout(connection.timeout(), connection.client().flush()).await };
        // Delivery is not guaranteed, so that a failure here changes nothing.
        let _ = connection.block_on(flushed);
    }
}

/// Returns the whole message that a message of the broker is, or completes.
fn take(message: Message, joiner: &mut Joiner, damaged: &mut u64) -> Option<Vec<u8>> {
    let part = message
        .headers
        .as_ref()
        .and_then(|headers| headers.get(PART));
    let Some(part) = part else {
        return Some(message.payload.into());
    };
    let Some(name) = PartName::read(part.as_str()) else {
        *damaged += 1;
        return None;
    };
    joiner.join(name, &message.payload)
}
