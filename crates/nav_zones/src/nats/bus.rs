//! A bus over the broker: a subject for each zone.

use super::{
    connect::NatsConnection,
    options::NatsError,
    parts::{Joiner, PartName, cuts},
};
use crate::{Bus, BusError, ZoneId, envelope::BYTES_MAX};
use async_nats::{Client, HeaderMap, Message, PublishError, Subscriber, connection::State};
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{sleep, timeout},
};

/// The header of a message that is part of a larger one.
const PART: &str = "Nav-Part";

/// How many bytes of messages wait here while the broker is away.
const WAITING_MAX: usize = 64 << 20;

/// How often it is looked whether messages that wait can go on.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// A [`Bus`] over a broker.
///
/// Messages go through the broker's memory: those that are on their way when it stops are lost. While it is away, up
/// to 64 MiB of them wait here, and go on in their order once it is back; it never waits for that. Messages that are
/// larger than the broker takes go in parts, up to 256 MiB in all. To drop it waits until all that was sent is on its
/// way.
pub struct NatsBus {
    connection: NatsConnection,
    subscriber: Subscriber,
    joiner: Joiner,
    /// Messages that could not be read.
    damaged: u64,
    /// The name of this end, which no other has.
    name: String,
    /// How many messages went in parts.
    split: u64,
    waiting: UnboundedSender<Outgoing>,
    waiting_bytes: Arc<AtomicUsize>,
}

/// A message of the broker, or a part of one, on its way out.
#[derive(Clone)]
struct Outgoing {
    subject: String,
    headers: Option<HeaderMap>,
    payload: Bytes,
}

impl NatsBus {
    /// The end for a zone. Messages that are sent to it from now on arrive.
    ///
    /// # Errors
    ///
    /// [`NatsError::Refused`], if the broker does not answer.
    pub fn new(connection: &NatsConnection, zone: ZoneId) -> Result<Self, NatsError> {
        let client = connection.client();
        let subject = connection.names().bus(zone);
        let subscribe = async {
            let subscriber = client.subscribe(subject).await.map_err(text)?;
            // The broker takes what one connection sends in order: once this comes back, it has the subscription.
            let inbox = client.new_inbox();
            let mut back = client.subscribe(inbox.clone()).await.map_err(text)?;
            let hello = client.publish(inbox.clone(), Bytes::new()).await;
            hello.map_err(text)?;
            back.next().await.ok_or("the connection ended")?;
            Ok((subscriber, inbox))
        };
        let limit = connection.timeout();
        let late = || format!("no answer within {limit:?}");
        let subscribed = connection.block_on(async { timeout(limit, subscribe).await });
        let subscribed = subscribed.and_then(|answer| answer.unwrap_or_else(|_| Err(late())));
        let (subscriber, inbox) = subscribed.map_err(|why| NatsError::Refused {
            server: client.server_info().host,
            why,
        })?;
        let (waiting, to_write) = unbounded_channel();
        let waiting_bytes = Arc::new(AtomicUsize::new(0));
        connection.spawn(write(client.clone(), to_write, waiting_bytes.clone()));
        Ok(Self {
            connection: connection.clone(),
            subscriber,
            joiner: Joiner::default(),
            damaged: 0,
            name: inbox.rsplit('.').next().unwrap_or_default().to_owned(),
            split: 0,
            waiting,
            waiting_bytes,
        })
    }

    /// How many messages that came were dropped: damaged parts of messages, and messages that were not complete.
    pub const fn dropped(&self) -> u64 {
        self.damaged + self.joiner.dropped()
    }

    /// Gives a message to the connection, or has it wait if that takes none now.
    fn hand_on(&self, message: Outgoing) -> Result<(), BusError> {
        let client = self.connection.client();
        // Only where none waits, so that none overtakes another.
        if self.connection.is_connected() && self.waiting_bytes.load(Ordering::Acquire) == 0 {
            match publish(client, message.clone()).now_or_never() {
                Some(Ok(())) => return Ok(()),
                Some(Err(error)) => return Err(BusError(error.to_string())),
                None => {}
            }
        }
        let cost = message.cost();
        let is_full = || self.waiting_bytes.load(Ordering::Acquire) + cost > WAITING_MAX;
        // With a broker there, the others go on at the speed of the connection.
        let room = async {
            while is_full() && self.connection.is_connected() {
                sleep(LOOK_AGAIN).await;
            }
        };
        if is_full() {
            let limit = self.connection.timeout();
            let waited = self
                .connection
                .block_on(async { timeout(limit, room).await });
            if waited.is_err() || is_full() {
                let why = format!("{} MiB wait for the broker already", WAITING_MAX >> 20);
                return Err(BusError(why));
            }
        }
        self.waiting_bytes.fetch_add(cost, Ordering::AcqRel);
        let ended = |_| BusError("its runtime was shut down".to_owned());
        self.waiting.send(message).map_err(ended)
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
            return self.hand_on(Outgoing {
                subject,
                headers: None,
                payload,
            });
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
            self.hand_on(Outgoing {
                subject: subject.clone(),
                headers: Some(headers),
                payload: payload.slice(cut),
            })?;
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
}

impl Drop for NatsBus {
    /// Waits until what was sent is on its way, if there is a broker, for the timeout at most.
    fn drop(&mut self) {
        let connection = &self.connection;
        let written = async {
            while connection.is_connected() && self.waiting_bytes.load(Ordering::Acquire) > 0 {
                sleep(LOOK_AGAIN).await;
            }
            if connection.is_connected() {
                connection.client().flush().await.ok();
            }
        };
        let limit = connection.timeout();
        // Whether they arrive nobody knows anyway.
        connection
            .block_on(async { timeout(limit, written).await.ok() })
            .ok();
    }
}

impl Outgoing {
    /// What it counts for among those that wait; more than nothing, even if it is empty.
    fn cost(&self) -> usize {
        size_of::<Self>() + self.payload.len()
    }
}

/// The message that one of the broker is, or completes.
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

async fn publish(client: &Client, message: Outgoing) -> Result<(), PublishError> {
    let Outgoing {
        subject,
        headers,
        payload,
    } = message;
    match headers {
        Some(headers) => client.publish_with_headers(subject, headers, payload).await,
        None => client.publish(subject, payload).await,
    }
}

/// Writes messages that waited, in their order, while there is a broker.
async fn write(client: Client, mut waiting: UnboundedReceiver<Outgoing>, bytes: Arc<AtomicUsize>) {
    while let Some(message) = waiting.recv().await {
        while client.connection_state() != State::Connected {
            sleep(LOOK_AGAIN).await;
        }
        let cost = message.cost();
        // What fails here would have failed at the sender: it arrives at most once, not always.
        publish(&client, message).await.ok();
        bytes.fetch_sub(cost, Ordering::AcqRel);
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
