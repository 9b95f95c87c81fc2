//! Reads a stream of the broker from a place on, by a consumer whose messages gather here between calls.

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

/// How often the broker says that there is nothing new.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// For how long the broker says nothing before the consumer is given up: a few heartbeats, so that one that is late
/// does no harm.
const SILENCE_MAX: Duration = Duration::from_secs(4);

/// The header that asks for an answer, where one got lost: the broker sends no more without.
const STALLED: &str = "Nats-Consumer-Stalled";

/// A message of a stream, and its place in it.
pub(super) struct Read {
    pub(super) sequence: Sequence,
    pub(super) subject: Subject,
    pub(super) headers: Option<HeaderMap>,
    pub(super) payload: Bytes,
}

/// Reads the messages of some subjects in order.
///
/// The broker sends what comes as it comes, so that to find nothing new costs no round trip. What others wrote is
/// here some time after they did, therefore. All that was there is read, however, when the consumer is made, which is
/// done at the first call, when it goes back to an earlier place, and after the connection was interrupted.
pub(super) struct Reader {
    stream: Stream,
    filter: String,
    /// Messages up to here were returned, or skipped by the caller.
    position: u64,
    /// A message up to which there are all, if they are not of other subjects.
    must_reach: u64,
    consumer: Option<Consumer>,
    /// When it was last used.
    pub(super) used: Instant,
}

/// A consumer at the broker, and what came from it.
struct Consumer {
    subscriber: Subscriber,
    /// Which one of the connections it was made on.
    connects: u64,
    /// How many messages came from it.
    delivered: u64,
    /// The place of the last of them.
    reached: u64,
    /// How many were there when it was made and did not come yet.
    pending: u64,
    /// When anything came.
    received_at: Instant,
}

/// What a message from a consumer means.
enum News {
    Message(Read),
    /// There was nothing more when it was sent.
    AllDelivered,
    Nothing,
    /// Some are missing.
    Gap,
}

impl Reader {
    pub(super) fn new(stream: &Stream, filter: String) -> Self {
        Self {
            stream: stream.clone(),
            filter,
            position: 0,
            must_reach: 0,
            consumer: None,
            used: now(),
        }
    }

    /// Has the next call wait for a message that is known to be there.
    pub(super) fn wait_for(&mut self, sequence: Sequence) {
        self.must_reach = self.must_reach.max(sequence.0);
    }

    /// Whether the next call makes a consumer, which then begins at the place that it is given.
    pub(super) fn begins_at(&self, connection: &NatsConnection, after: Sequence) -> bool {
        let is_open = |consumer: &Consumer| consumer.connects == connection.connects();
        after.0 < self.position || !self.consumer.as_ref().is_some_and(is_open)
    }

    /// Messages after a place, at most so many.
    pub(super) fn read(
        &mut self,
        connection: &NatsConnection,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Read>, KeeperError> {
        self.used = now();
        if self.begins_at(connection, after) {
            self.consumer = None;
        }
        self.position = after.0;
        let mut found = Vec::new();
        while found.len() < limit {
            let Some(read) = self.next(connection)? else {
                break;
            };
            self.position = read.sequence.0;
            found.push(read);
        }
        Ok(found)
    }

    /// The next message after the position; none if there is no more now.
    fn next(&mut self, connection: &NatsConnection) -> Result<Option<Read>, KeeperError> {
        loop {
            let consumer = match &mut self.consumer {
                Some(consumer) => consumer,
                none => {
                    let made =
                        Consumer::make(connection, &self.stream, &self.filter, self.position);
                    // It counts what is there by itself.
                    self.must_reach = 0;
                    none.insert(connection.ask(made)?)
                }
            };
            let mut has_waited = false;
            let message = match consumer.subscriber.next().now_or_never() {
                Some(message) => message,
                None if !connection.is_connected() => {
                    return Err(unreachable("the connection is interrupted"));
                }
                None if consumer.pending > 0 || consumer.reached < self.must_reach => {
                    has_waited = true;
                    let next = async { Ok(consumer.subscriber.next().await) };
                    match connection.ask(next) {
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
            match consumer.receive(connection, message)? {
                News::Message(read) if read.sequence.0 > self.position => return Ok(Some(read)),
                // What is waited for was dropped from the stream. One that came before says nothing about it.
                News::AllDelivered if has_waited => self.must_reach = 0,
                News::Message(_) | News::AllDelivered | News::Nothing => {}
                News::Gap => self.consumer = None,
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
        let subscriber = connection.client().subscribe(inbox.clone()).await;
        let subscriber = subscriber.map_err(unreachable)?;
        let config = push::Config {
            deliver_subject: inbox,
            filter_subject: filter.to_owned(),
            deliver_policy: DeliverPolicy::ByStartSequence {
                start_sequence: after + 1,
            },
            ack_policy: AckPolicy::None,
            flow_control: true,
            idle_heartbeat: HEARTBEAT,
            // It is made anew after a restart of the broker.
            memory_storage: true,
            num_replicas: 1,
            ..push::Config::default()
        };
        let consumer = stream.create_consumer(config).await;
        let consumer = consumer.map_err(unreachable)?;
        Ok(Self {
            subscriber,
            connects,
            delivered: 0,
            reached: after,
            pending: consumer.cached_info().num_pending,
            received_at: now(),
        })
    }

    fn receive(
        &mut self,
        connection: &NatsConnection,
        message: Message,
    ) -> Result<News, KeeperError> {
        self.received_at = now();
        match message.status {
            None => Ok(self.receive_message(connection, message)),
            Some(StatusCode::IDLE_HEARTBEAT) => self.receive_heartbeat(connection, &message),
            Some(_) => Ok(News::Nothing),
        }
    }

    fn receive_message(&mut self, connection: &NatsConnection, message: Message) -> News {
        let context = connection.context().clone();
        let message = StreamMessage { message, context };
        // Others than the broker may send to an inbox: what does not come from the consumer is none of its messages.
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

    fn receive_heartbeat(
        &mut self,
        connection: &NatsConnection,
        message: &Message,
    ) -> Result<News, KeeperError> {
        let header = |name: &str| {
            let headers = message.headers.as_ref();
            headers
                .and_then(|headers| headers.get(name))
                .map(|value| value.as_str().to_owned())
        };
        // The broker waits for an answer once it sent much.
        let asks = message.reply.as_ref().map(ToString::to_string);
        let stalled = header(STALLED);
        let is_idle = asks.is_none() && stalled.is_none();
        if let Some(subject) = asks.or(stalled) {
            let client = connection.client();
            connection.ask(async {
                let answer = client.publish(subject, Bytes::new()).await;
                answer.map_err(unreachable)
            })?;
        }
        let last = header(NATS_LAST_CONSUMER.as_ref()).and_then(|last| last.parse::<u64>().ok());
        if last.is_some_and(|last| last != self.delivered) && is_idle {
            return Ok(News::Gap);
        }
        if is_idle {
            self.pending = 0;
            return Ok(News::AllDelivered);
        }
        Ok(News::Nothing)
    }
}
