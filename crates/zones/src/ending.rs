//! Requests to end: SIGTERM, Ctrl-C, and the end of the program that started this one.

use nav_server::asked_to_end;
use std::{
    io::Read,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};

/// A flag that is set when the program is asked to end. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Ending(Arc<AtomicBool>);

impl Ending {
    /// Returns whether the program is asked to end.
    pub fn is_asked(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Creates a flag that signals set. They no longer end the program by themselves.
    pub fn by_signals() -> Self {
        let ending = Self::default();
        let asked = Arc::clone(&ending.0);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            if let Ok(runtime) = runtime {
                runtime.block_on(asked_to_end());
                asked.store(true, Relaxed);
            }
        });
        ending
    }

    /// Sets the flag when the standard input ends, too.
    ///
    /// A supervisor holds the other end and never writes, so that its processes end with it
    /// whatever ended it.
    pub fn with_input(&self) {
        let asked = Arc::clone(&self.0);
        thread::spawn(move || {
            let mut input = std::io::stdin().lock();
            while input.read(&mut [0; 64]).is_ok_and(|bytes| bytes > 0) {}
            asked.store(true, Relaxed);
        });
    }
}
