//! Connection of a process to the broker, with the runtime on which its keeper and bus wait.

use super::{
    names::{self, Names, is_world},
    options::{NatsError, NatsOptions, connect_options, servers},
    violations::Violations,
};
use crate::keeper::KeeperError;
use async_nats::{
    Client, ConnectErrorKind,
    connection::State,
    jetstream::{self, ErrorCode, context::GetStreamErrorKind},
};
use futures_util::TryStreamExt;
use std::{
    future::ready,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    runtime::{Builder, Handle, Runtime},
    time::timeout,
};

/// Bytes of a message reserved for headers: those of an entry take some 200.
const HEADERS: usize = 1024;

/// Connection to a broker for one world. Clones are the same connection.
///
/// It ends with its last clone and the last keeper or bus on it. When the broker goes away, the
/// connection is retried until the broker is back.
#[derive(Clone)]
pub struct NatsConnection(Arc<Inner>);

struct Inner {
    client: Client,
    context: jetstream::Context,
    names: Names,
    timeout: Duration,
    lease: Duration,
    /// Number of calls without an answer.
    unanswered: AtomicU64,
    violations: Arc<Violations>,
    // Dropped last: the fields above stop their tasks on it.
    runtime: Background,
}

/// Runtime that can be dropped anywhere. Dropping an ordinary one within a task panics.
struct Background(Option<Runtime>);

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl NatsConnection {
    /// Connects to the broker.
    ///
    /// # Errors
    ///
    /// [`NatsError`] if options are wrong or no broker answers in time.
    pub fn open(options: NatsOptions) -> Result<Self, NatsError> {
        if !is_world(&options.world) {
            return Err(NatsError::World(options.world));
        }
        let servers = servers(&options.url)?;
        let shown: Vec<String> = (servers.iter())
            .map(|server| format!("{}:{}", server.host(), server.port()))
            .collect();
        let refused = |why: String| NatsError::Refused {
            server: shown.join(", "),
            why,
        };
        if Handle::try_current().is_ok() {
            return Err(refused(WITHIN_A_TASK.to_owned()));
        }
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("nats")
            .enable_all()
            .build()
            .map_err(|error| refused(error.to_string()))?;
        let violations = Arc::new(Violations::default());
        let noted = Arc::clone(&violations);
        let connect = connect_options(&options, &servers)?.event_callback(move |event| {
            noted.note(&event);
            ready(())
        });
        let mut is_denied = false;
        let opened = runtime.block_on(async {
            let answer = timeout(options.timeout, connect.connect(servers)).await;
            let connected =
                answer.map_err(|_| format!("no answer within {:?}", options.timeout))?;
            let client = connected.map_err(|error| {
                is_denied = matches!(
                    error.kind(),
                    ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation
                );
                error.to_string()
            })?;
            let mut context = jetstream::new(client.clone());
            context.set_timeout(options.timeout);
            Ok((client, context))
        });
        let (client, context) = opened.map_err(|why| match refused(why) {
            NatsError::Refused { server, why } if is_denied => NatsError::Denied { server, why },
            error => error,
        })?;
        Ok(Self(Arc::new(Inner {
            client,
            context,
            names: Names::new(&options.world),
            timeout: options.timeout,
            lease: options.lease,
            unanswered: AtomicU64::new(0),
            violations,
            runtime: Background(Some(runtime)),
        })))
    }

    /// Returns the names of all worlds at the broker, in order.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    pub fn worlds(&self) -> Result<Vec<String>, KeeperError> {
        let streams = self.context().stream_names();
        let names =
            self.ask(async { streams.try_collect::<Vec<_>>().await.map_err(unreachable) })?;
        let named = names.iter().filter_map(|name| names::world_of_ledger(name));
        let mut worlds: Vec<String> = named.map(str::to_owned).collect();
        worlds.sort_unstable();
        Ok(worlds)
    }

    /// Deletes all that the broker has of the world. Returns whether it had anything.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`], after which a part may be deleted: call it again.
    pub fn delete_world(&self) -> Result<bool, KeeperError> {
        let mut is_deleted = false;
        for stream in self.names().streams() {
            is_deleted |= self.ask(async {
                match self.context().delete_stream(stream).await {
                    Ok(deleted) => Ok(deleted.success),
                    Err(error) if is_missing(error.kind()) => Ok(false),
                    Err(error) => Err(unreachable(error)),
                }
            })?;
        }
        Ok(is_deleted)
    }

    /// Returns whether the broker has the world.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    pub fn has_world(&self) -> Result<bool, KeeperError> {
        self.ask(async {
            match self
                .context()
                .get_stream(self.names().ledger_stream())
                .await
            {
                Ok(_) => Ok(true),
                Err(error) if is_missing(error.kind()) => Ok(false),
                Err(error) => Err(unreachable(error)),
            }
        })
    }

    /// Returns a stream of the world that the broker does not have.
    pub(super) fn missing(&self) -> Result<Option<String>, KeeperError> {
        self.ask(async {
            for stream in self.names().streams() {
                match self.context().get_stream(&stream).await {
                    Ok(_) => {}
                    Err(error) if is_missing(error.kind()) => return Ok(Some(stream)),
                    Err(error) => return Err(unreachable(error)),
                }
            }
            Ok(None)
        })
    }

    /// Returns a name that no other part of any process has.
    pub(super) fn unique_name(&self) -> String {
        let inbox = self.client().new_inbox();
        inbox.rsplit('.').next().unwrap_or_default().to_owned()
    }

    pub(super) fn client(&self) -> &Client {
        &self.0.client
    }

    pub(super) fn context(&self) -> &jetstream::Context {
        &self.0.context
    }

    pub(super) fn names(&self) -> &Names {
        &self.0.names
    }

    pub(super) fn timeout(&self) -> Duration {
        self.0.timeout
    }

    pub(super) fn lease(&self) -> Duration {
        self.0.lease
    }

    /// Returns the largest payload of one message in bytes, without headers.
    pub(super) fn payload_max(&self) -> usize {
        self.0.client.max_payload().saturating_sub(HEADERS)
    }

    /// Returns whether the broker answered lately.
    pub fn is_connected(&self) -> bool {
        self.0.client.connection_state() == State::Connected
    }

    /// Returns the number of times the connection was established. A change means that
    /// subscriptions were interrupted.
    pub(super) fn connects(&self) -> u64 {
        let statistics = self.0.client.statistics();
        statistics.connects.load(Ordering::Relaxed)
    }

    /// Returns a number that changes when the broker was away or answered too late.
    pub(super) fn interruptions(&self) -> u64 {
        self.connects() + self.0.unanswered.load(Ordering::Relaxed)
    }

    /// Waits for an answer of the broker, up to the timeout.
    pub(super) fn ask<T>(
        &self,
        answer: impl Future<Output = Result<T, KeeperError>>,
    ) -> Result<T, KeeperError> {
        self.ask_for(self.0.timeout, answer)
    }

    /// Waits for an answer of the broker, up to `wait`.
    pub(super) fn ask_for<T>(
        &self,
        wait: Duration,
        answer: impl Future<Output = Result<T, KeeperError>>,
    ) -> Result<T, KeeperError> {
        let since = now();
        let waited = self.block_on(async { timeout(wait, answer).await });
        let in_time = waited.map_err(KeeperError::Unreachable)?;
        let answer = in_time.unwrap_or_else(|_| {
            self.0.unanswered.fetch_add(1, Ordering::Relaxed);
            let why = format!("no answer within {wait:?}");
            Err(KeeperError::Unreachable(why))
        });
        // What is not permitted gets no answer.
        match (answer, self.forbidden(since)) {
            (Err(KeeperError::Unreachable(_)), Some(what)) => Err(KeeperError::Forbidden(what)),
            (answer, _) => answer,
        }
    }

    /// Returns what the broker did not permit since a time.
    pub(super) fn forbidden(&self, since: Instant) -> Option<String> {
        self.0.violations.since(since)
    }

    /// Returns the time of the broker, since 1970.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    pub fn time(&self) -> Result<Duration, KeeperError> {
        /// The part of a description of a stream that says when it was made.
        #[derive(serde::Deserialize)]
        struct Described {
            ts: String,
        }
        let subject = format!("STREAM.INFO.{}", self.names().ledger_stream());
        let described: Described = self.ask(async {
            let described = self.context().request(subject, &()).await;
            described.map_err(unreachable)
        })?;
        let time = async_nats::datetime::parse_rfc3339(&described.ts).map_err(unreachable)?;
        let nanos = u64::try_from(time.unix_timestamp_nanos()).map_err(unreachable)?;
        Ok(Duration::from_nanos(nanos))
    }

    /// Runs a future on the runtime and waits for it.
    ///
    /// # Errors
    ///
    /// A message, if called within an asynchronous task, which must not block.
    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> Result<T, String> {
        let runtime = self.0.runtime.0.as_ref();
        match runtime.filter(|_| Handle::try_current().is_err()) {
            Some(runtime) => Ok(runtime.block_on(future)),
            None => Err(WITHIN_A_TASK.to_owned()),
        }
    }

    /// Runs a task in the background.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.0.runtime.0 {
            runtime.spawn(task);
        }
    }
}

impl std::fmt::Debug for NatsConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("NatsConnection")
            .field(&self.0.names)
            .finish()
    }
}

const WITHIN_A_TASK: &str =
    "this waits for the broker, and must not be called within an asynchronous task";

/// Returns whether an error says that there is no such stream.
pub(super) fn is_missing(error: GetStreamErrorKind) -> bool {
    matches!(error, GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

/// Converts an error of the client into an error of a keeper.
///
/// The client has a type of error for each call, and only the text of all says whether the broker
/// answered.
pub(super) fn unreachable(error: impl std::fmt::Display) -> KeeperError {
    let why = error.to_string();
    if ["error code ", "no stream found"]
        .iter()
        .any(|words| why.contains(words))
    {
        return KeeperError::Refused(why);
    }
    KeeperError::Unreachable(why)
}

/// Returns the wall-clock time, to measure durations.
pub(super) fn now() -> Instant {
    #[expect(
        clippy::disallowed_methods,
        reason = "leases and silence of the broker are measured in wall-clock time; nothing in the \
                  simulation depends on it"
    )]
    Instant::now()
}
