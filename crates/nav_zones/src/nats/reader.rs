//! Reader of a stream, by a consumer whose messages gather here between calls.

use super::connect::{NatsConnection, now, unreachable};
use crate::keeper::{KeeperError, Sequence};
use async_nats::{
    HeaderMap, Message, StatusCode, Subject, Subscriber,
    header::NATS_LAST_CONSUMER,
    jetstream::{
        consumer::{AckPolicy, DeliverPolicy, push},
        message::Message as StreamMessage,
        stream::Stream,
    },
};
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};
use std::time::{Duration, Instant};

/// Interval at which the broker reports that there is nothing new: a small message a second for
/// each reader.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Silence after which the consumer is given up: three heartbeats may be late or lost, and half of
/// the usual lease of ten seconds is left.
const SILENCE_MAX: Duration = Duration::from_secs(4);

/// Gaps after which a call fails. After each of the first two it makes a new consumer, since a slow
/// process loses messages once in a while. Then the caller decides when to ask again.
const GAPS_MAX: u32 = 3;

/// Header of a heartbeat that asks for an answer after one was lost. Without it the broker stops
/// sending.
const STALLED: &str = "Nats-Consumer-Stalled";

/// Message of a stream with its position.
pub(super) struct Read {
    pub(super) sequence: Sequence,
    pub(super) subject: Subject,
    pub(super) headers: Option<HeaderMap>,
    pub(super) payload: Bytes,
}

/// Reads the messages of some subjects in order.
///
/// The broker pushes messages, so that a call that finds nothing new costs no round trip. Writes of
/// others therefore appear with a delay. A new consumer first reads everything that exists. A
/// consumer is made at the first call, after a step back to an earlier position, and after an
/// interruption of the self.connection.
pub(super) struct Reader {
    connection: NatsConnection,
    stream: Stream,
    filter: String,
    /// Position up to which messages were returned, or skipped.
    position: u64,
    /// Position up to which the caller knows them. A call from before it reads again.
    known: u64,
    /// Position that must be reached before the stream counts as read. Messages of other subjects
    /// do not matter.
    must_reach: u64,
    consumer: Option<Consumer>,
    /// Time of the last use.
    pub(super) used: Instant,
}

/// Consumer at the broker, and what arrived from it.
struct Consumer {
    subscriber: Subscriber,
    connection: NatsConnection,
    stream: Stream,
    name: String,
    /// Number of the connection on which it was made.
    connects: u64,
    /// Number of messages received from it.
    delivered: u64,
    /// Position of the last message received.
    reached: u64,
    /// Messages that existed when it was made and have not arrived yet.
    pending: u64,
    /// Time of the last arrival.
    received_at: Instant,
}

/// Meaning of a message from a consumer.
enum News {
    Message(Read),
    /// The broker had sent everything by then.
    AllDelivered,
    Nothing,
    /// Messages are missing.
    Gap,
}

impl Reader {
    pub(super) fn new(connection: &NatsConnection, stream: &Stream, filter: String) -> Self {
        Self {
            connection: connection.clone(),
            stream: stream.clone(),
            filter,
            position: 0,
            known: 0,
            must_reach: 0,
            consumer: None,
            used: now(),
        }
    }

    /// Makes the next call wait for a message that is known to exist.
    pub(super) fn wait_for(&mut self, sequence: Sequence) {
        self.must_reach = self.must_reach.max(sequence.0);
    }

    /// Returns whether the next call makes a new consumer, which begins at the given position.
    fn begins_at(&self, after: Sequence) -> bool {
        let consumer = self.consumer.as_ref();
        after.0 < self.known
            || consumer.is_none_or(|consumer| consumer.connects != self.connection.connects())
    }

    /// Returns what `accept` makes of the messages after a position, at most `limit`. Skips those
    /// of which it makes nothing.
    pub(super) fn read<T>(
        &mut self,
        after: Sequence,
        limit: usize,
        mut accept: impl FnMut(Read) -> Option<T>,
    ) -> Result<Vec<T>, KeeperError> {
        self.used = now();
        if self.begins_at(after) {
            self.consumer = None;
            self.position = after.0;
        }
        self.position = self.position.max(after.0);
        self.known = after.0;
        let mut found = Vec::new();
        while found.len() < limit {
            // Messages that were found already are not lost by an error: they are read again.
            let Some(read) = self.next()? else {
                break;
            };
            let sequence = read.sequence.0;
            self.position = sequence;
            if let Some(accepted) = accept(read) {
                self.known = sequence;
                found.push(accepted);
            }
        }
        Ok(found)
    }

    /// Returns the next message after the position; `None` if there is none at present.
    fn next(&mut self) -> Result<Option<Read>, KeeperError> {
        let mut gaps = 0;
        loop {
            let consumer = match &mut self.consumer {
                Some(consumer) => consumer,
                none => {
                    let (stream, filter) = (&self.stream, &self.filter);
                    let made = Consumer::make(&self.connection, stream, filter, self.position);
                    // A new consumer counts the existing messages itself.
                    self.must_reach = 0;
                    none.insert(self.connection.ask(made)?)
                }
            };
            let mut has_waited = false;
            let message = match consumer.subscriber.next().now_or_never() {
                Some(message) => message,
                None if !self.connection.is_connected() => {
                    return Err(unreachable("the connection is interrupted"));
                }
                None if consumer.pending > 0 || consumer.reached < self.must_reach => {
                    has_waited = true;
                    let next = async { Ok(consumer.subscriber.next().await) };
                    match self.connection.ask(next) {
                        Ok(message) => message,
                        Err(error) => {
                            self.consumer = None;
                            return Err(error);
                        }
                    }
                }
                None if consumer.received_at.elapsed() > SILENCE_MAX => {
                    self.consumer = None;
                    continue;
                }
                None => return Ok(None),
            };
            let Some(message) = message else {
                return Err(unreachable("the connection was closed"));
            };
            match consumer.receive(message)? {
                News::Message(read) if read.sequence.0 > self.position => return Ok(Some(read)),
                // The awaited message was dropped from the stream. A heartbeat sent before says
                // nothing about it.
                News::AllDelivered if has_waited => self.must_reach = 0,
                News::Message(_) | News::AllDelivered | News::Nothing => {}
                News::Gap => {
                    self.consumer = None;
                    gaps += 1;
                    if gaps == GAPS_MAX {
                        return Err(unreachable("messages of the stream are missing"));
                    }
                }
            }
        }
    }
}

impl Consumer {
    async fn make(
        connection: &NatsConnection,
        stream: &Stream,
        filter: &str,
        after: u64,
    ) -> Result<Self, KeeperError> {
        let connects = connection.connects();
        let inbox = connection.client().new_inbox();
        let subscribed = connection.client().subscribe(inbox.clone()).await;
        let subscriber = subscribed.map_err(unreachable)?;
        let config = push::Config {
            deliver_subject: inbox,
            filter_subject: filter.to_owned(),
            deliver_policy: DeliverPolicy::ByStartSequence {
                start_sequence: after + 1,
            },
            ack_policy: AckPolicy::None,
            flow_control: true,
            idle_heartbeat: HEARTBEAT,
            // A restart of the broker loses the consumer, and a new one is made.
            memory_storage: true,
            // A consumer without a listener is of no use, even after a reconnect.
            inactive_threshold: HEARTBEAT,
            num_replicas: 1,
            ..push::Config::default()
        };
        let created = stream.create_consumer(config).await;
        let consumer = created.map_err(unreachable)?;
        Ok(Self {
            subscriber,
            connection: connection.clone(),
            stream: stream.clone(),
            name: consumer.cached_info().name.clone(),
            connects,
            delivered: 0,
            reached: after,
            pending: consumer.cached_info().num_pending,
            received_at: now(),
        })
    }

    fn receive(&mut self, message: Message) -> Result<News, KeeperError> {
        self.received_at = now();
        match message.status {
            None => Ok(self.receive_message(message)),
            Some(StatusCode::IDLE_HEARTBEAT) => self.receive_heartbeat(&message),
            Some(_) => Ok(News::Nothing),
        }
    }

    fn receive_message(&mut self, message: Message) -> News {
        let context = self.connection.context().clone();
        let message = StreamMessage { message, context };
        // Others may send to the inbox too. Only messages of the consumer count.
        let Ok(info) = message.info() else {
            return News::Nothing;
        };
        if info.consumer_sequence != self.delivered + 1 {
            return News::Gap;
        }
        let sequence = Sequence(info.stream_sequence);
        self.delivered += 1;
        self.reached = sequence.0;
        self.pending = self.pending.saturating_sub(1).min(info.pending);
        let StreamMessage { message, .. } = message;
        News::Message(Read {
            sequence,
            subject: message.subject,
            headers: message.headers,
            payload: message.payload,
        })
    }

    fn receive_heartbeat(&mut self, message: &Message) -> Result<News, KeeperError> {
        // The broker asks for an answer after a certain amount of data.
        let asks = message.reply.as_ref().map(ToString::to_string);
        let stalled = header(message, STALLED).map(str::to_owned);
        if let Some(subject) = asks.or(stalled) {
            let client = self.connection.client();
            self.connection.ask(async {
                let answer = client.publish(subject, Bytes::new()).await;
                answer.map_err(unreachable)
            })?;
            return Ok(News::Nothing);
        }
        let last = header(message, NATS_LAST_CONSUMER.as_ref());
        if last.is_some_and(|last| last.parse().is_ok_and(|last: u64| last != self.delivered)) {
            return Ok(News::Gap);
        }
        self.pending = 0;
        Ok(News::AllDelivered)
    }
}

/// Returns a header of a message.
fn header<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
    let value = message.headers.as_ref()?.get(name)?;
    Some(value.as_str())
}

impl Drop for Consumer {
    /// Deletes the consumer at the broker, which would keep it for some seconds more.
    fn drop(&mut self) {
        let (stream, name) = (self.stream.clone(), std::mem::take(&mut self.name));
        self.connection.spawn(async move {
            // Fails if it is gone already.
            stream.delete_consumer(&name).await.ok();
        });
    }
}
