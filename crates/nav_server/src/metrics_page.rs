//! A page of metrics for programs without clients.

use crate::{ServeError, listener, metrics::CONTENT_TYPE};
use axum::{Router, http::header, routing::get};
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    thread,
};
use tokio::sync::oneshot;

/// Serves a text at `/metrics`, from a thread of its own, until it is dropped.
///
/// Connections have the limits of [`serve`](crate::serve).
pub struct MetricsPage {
    addr: SocketAddr,
    text: Arc<Mutex<String>>,
    /// Dropped to stop the thread.
    _running: oneshot::Sender<()>,
}

impl MetricsPage {
    /// Listens at an address; port 0 for any free port. The text is empty at first.
    ///
    /// # Errors
    ///
    /// [`ServeError::Listen`], and [`ServeError::Io`] if the system refuses a thread.
    pub fn open(addr: SocketAddr) -> Result<Self, ServeError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let listener = runtime.block_on(async { listener::listen(addr) })?;
        let addr = listener.local_addr()?;
        let text = Arc::<Mutex<String>>::default();
        let shown = Arc::clone(&text);
        let answer = async move || {
            let text = shown.lock().unwrap_or_else(PoisonError::into_inner);
            ([(header::CONTENT_TYPE, CONTENT_TYPE)], text.clone())
        };
        let router = Router::new().route("/metrics", get(answer));
        let (running, stopped) = oneshot::channel::<()>();
        let stop = async {
            // An error says that the page was dropped, and nothing is ever sent.
            let _ = stopped.await;
        };
        thread::Builder::new()
            .name("metrics".to_owned())
            .spawn(move || runtime.block_on(listener::serve_until(listener, router, stop)))?;
        Ok(Self {
            addr,
            text,
            _running: running,
        })
    }

    /// Returns the address.
    pub const fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Replaces the text.
    pub fn show(&self, text: String) {
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}
