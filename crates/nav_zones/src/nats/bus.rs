//! Bus over a broker: a subject for each zone.

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

/// Header of a message that is part of a larger one.
const PART: &str = "Nav-Part";

/// Bytes of messages that wait while the broker is away. A guess: 40 seconds of a zone that sends
/// 82 kB a tick.
const WAITING_MAX: usize = 64 << 20;

/// Interval between checks whether waiting messages can go on. A guess: a tenth of a tick at 20
/// ticks a second.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// [`Bus`] over a broker.
///
/// Messages go through the broker's memory: those on their way when it stops are lost. While it is
/// away, up to 64 MiB of messages wait and are sent in order afterwards; [`send`](Bus::send) never
/// waits for the broker's return. Messages above the broker's limit are sent in parts, up to 256
/// MiB in all. Dropping the bus waits until all messages are on their way.
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
    waiting: UnboundedSender<Outgoing>,
    waiting_bytes: Arc<AtomicUsize>,
}

/// Message for the broker, or a part of one, on its way out.
#[derive(Clone)]
struct Outgoing {
    subject: String,
    headers: Option<HeaderMap>,
    payload: Bytes,
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
        let subscribe = async {
            let subscriber = client.subscribe(subject).await.map_err(text)?;
            // The broker handles the requests of one connection in order: once this message is
            // back, the subscription exists.
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

    /// Hands a message to the connection, or queues it if the connection takes none now.
    fn hand_on(&self, message: Outgoing) -> Result<(), BusError> {
        let client = self.connection.client();
        // Only with an empty queue, so that no message overtakes another.
        if self.connection.is_connected() && self.waiting_bytes.load(Ordering::Acquire) == 0 {
            match publish(client, message.clone()).now_or_never() {
                Some(Ok(())) => return Ok(()),
                Some(Err(error)) => return Err(BusError(error.to_string())),
                None => {}
            }
        }
        let cost = message.cost();
        let is_full = || self.waiting_bytes.load(Ordering::Acquire) + cost > WAITING_MAX;
        // While the broker is there, the queue drains at the speed of the connection.
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

    fn damaged(&self) -> u64 {
        self.damaged + self.joiner.dropped()
    }
}

impl Drop for NatsBus {
    /// Waits until all messages are on their way, up to the timeout, if the broker is there.
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
        // Delivery is not guaranteed, so that a failure here changes nothing.
        connection
            .block_on(async { timeout(limit, written).await.ok() })
            .ok();
    }
}

impl Outgoing {
    /// Returns the size that counts toward the limit of the queue. An empty message counts too.
    fn cost(&self) -> usize {
        size_of::<Self>() + self.payload.len()
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

/// Sends queued messages in order while the broker is there.
async fn write(client: Client, mut waiting: UnboundedReceiver<Outgoing>, bytes: Arc<AtomicUsize>) {
    while let Some(message) = waiting.recv().await {
        while client.connection_state() != State::Connected {
            sleep(LOOK_AGAIN).await;
        }
        let cost = message.cost();
        // The bus promises delivery at most once, so that a failure needs no retry.
        publish(&client, message).await.ok();
        bytes.fetch_sub(cost, Ordering::AcqRel);
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
