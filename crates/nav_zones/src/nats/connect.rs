//! The connection of a process to the broker, with the runtime that its keeper and its bus wait on.

use super::{
    names::{Names, is_world},
    options::{NatsError, NatsOptions, connect_options, servers},
};
use crate::keeper::KeeperError;
use async_nats::{Client, connection::State, jetstream};
use std::{
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

/// How many bytes of a message are left for headers: more than any of them takes.
const HEADERS: usize = 1024;

/// A connection to a broker, for one world. Clones are the same connection, which ends with the last of them and of
/// the keepers and buses on it.
///
/// When the broker goes away, it is looked for until it is back.
#[derive(Clone)]
pub struct NatsConnection(Arc<Inner>);

struct Inner {
    client: Client,
    context: jetstream::Context,
    names: Names,
    timeout: Duration,
    lease: Duration,
    /// How many calls got no answer.
    unanswered: AtomicU64,
    // Dropped last, since the others stop their tasks on it.
    runtime: Background,
}

/// A runtime that can be dropped anywhere: within a task, an ordinary one would panic.
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
    /// [`NatsError`], if options are wrong or no broker answers in time.
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
        let connect = connect_options(&options, &servers)?;
        let opened = runtime.block_on(async {
            let client = timeout(options.timeout, connect.connect(servers)).await;
            let client = client.map_err(|_| format!("no answer within {:?}", options.timeout))?;
            let client = client.map_err(|error| error.to_string())?;
            let mut context = jetstream::new(client.clone());
            context.set_timeout(options.timeout);
            Ok((client, context))
        });
        let (client, context) = opened.map_err(refused)?;
        Ok(Self(Arc::new(Inner {
            client,
            context,
            names: Names::new(&options.world),
            timeout: options.timeout,
            lease: options.lease,
            unanswered: AtomicU64::new(0),
            runtime: Background(Some(runtime)),
        })))
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

    /// How many bytes go in one message beside its headers.
    pub(super) fn payload_max(&self) -> usize {
        self.0.client.max_payload().saturating_sub(HEADERS)
    }

    pub(super) fn is_connected(&self) -> bool {
        self.0.client.connection_state() == State::Connected
    }

    /// How often it connected: subscriptions were without a broker where this differs.
    pub(super) fn connects(&self) -> u64 {
        let statistics = self.0.client.statistics();
        statistics.connects.load(Ordering::Relaxed)
    }

    /// Differs from before if the broker was away in between, or answered too late.
    pub(super) fn interruptions(&self) -> u64 {
        self.connects() + self.0.unanswered.load(Ordering::Relaxed)
    }

    /// Waits for an answer of the broker, for the timeout.
    pub(super) fn ask<T>(
        &self,
        answer: impl Future<Output = Result<T, KeeperError>>,
    ) -> Result<T, KeeperError> {
        self.ask_for(self.0.timeout, answer)
    }

    /// Waits for an answer of the broker.
    pub(super) fn ask_for<T>(
        &self,
        wait: Duration,
        answer: impl Future<Output = Result<T, KeeperError>>,
    ) -> Result<T, KeeperError> {
        let answer = self.block_on(async { timeout(wait, answer).await });
        let answer = answer.map_err(KeeperError::Unreachable)?;
        answer.unwrap_or_else(|_| {
            self.0.unanswered.fetch_add(1, Ordering::Relaxed);
            let why = format!("no answer within {wait:?}");
            Err(KeeperError::Unreachable(why))
        })
    }

    /// Waits for a future on the runtime.
    ///
    /// # Errors
    ///
    /// What is wrong, within a task, which must not wait so.
    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> Result<T, String> {
        let runtime = self.0.runtime.0.as_ref();
        match runtime.filter(|_| Handle::try_current().is_err()) {
            Some(runtime) => Ok(runtime.block_on(future)),
            None => Err(WITHIN_A_TASK.to_owned()),
        }
    }

    /// Runs a task beside.
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

/// What an error of the client is to callers of a keeper.
pub(super) fn unreachable(error: impl std::fmt::Display) -> KeeperError {
    KeeperError::Unreachable(error.to_string())
}

/// The time on the wall, to measure how long something lasts.
pub(super) fn now() -> Instant {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a lease was not renewed, and a broker is silent, is time on the wall; nothing of the \
                  simulation depends on it"
    )]
    Instant::now()
}
