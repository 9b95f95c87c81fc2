//! Guesses of the control token: after some wrong ones each takes a while.

use crate::control::Control;
use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::Semaphore,
    time::{Instant, sleep},
};

/// Wrong tokens of an address that are answered at once. More than anybody mistypes.
const FREE: u32 = 10;

/// How long a further token takes, right or wrong: long for who tries many, and short for somebody
/// behind the same proxy who has the right one.
const DELAY: Duration = Duration::from_secs(1);

/// Tokens of an address that take this time at once; more are refused. So an address has this many
/// tries a second, of 64⁸ or more tokens.
const AT_ONCE: usize = 8;

/// After this time without a wrong token an address begins again. A guess.
const FORGOTTEN: Duration = Duration::from_mins(10);

/// Addresses that are kept at most; beyond, the one whose last wrong token is longest ago is
/// forgotten. They take some 64 KiB.
const ADDRESSES_MAX: usize = 1024;

/// The answer to a control token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It may control the server.
    Allowed,
    /// It may not.
    Wrong,
    /// Too many tokens of its address are being checked.
    TooMany,
}

/// The wrong tokens of each address.
#[derive(Default)]
pub(crate) struct Guesses {
    of: Mutex<BTreeMap<IpAddr, Tries>>,
    wrong: AtomicU64,
}

struct Tries {
    wrong: u32,
    last: Instant,
    /// For the tokens that are being checked at once.
    turns: Arc<Semaphore>,
}

impl Tries {
    /// Returns whether no token is being checked.
    fn is_idle(&self) -> bool {
        self.turns.available_permits() == AT_ONCE
    }
}

impl Guesses {
    /// Checks the token that a client at an address sent, if any.
    pub(crate) async fn check(
        &self,
        control: &Control,
        token: Option<&str>,
        from: IpAddr,
    ) -> Verdict {
        let is_allowed = control.allows(token);
        // Without a token nothing is guessed.
        if let (Control::Token(_), Some(_)) = (control, token) {
            if let Some(turns) = self.turns(from) {
                // Given back when this future is dropped: a client may leave before its delay is
                // over.
                let Ok(_turn) = turns.try_acquire() else {
                    return Verdict::TooMany;
                };
                sleep(DELAY).await;
            }
            if !is_allowed {
                self.note(from);
            }
        }
        if is_allowed {
            Verdict::Allowed
        } else {
            Verdict::Wrong
        }
    }

    /// Wrong tokens so far.
    pub(crate) fn wrong(&self) -> u64 {
        self.wrong.load(Ordering::Relaxed)
    }

    /// Returns the turns of an address whose tokens take a while; `None` if they are checked at
    /// once.
    fn turns(&self, from: IpAddr) -> Option<Arc<Semaphore>> {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let tries = of.get(&from)?;
        if tries.is_idle() && tries.last.elapsed() > FORGOTTEN {
            of.remove(&from);
            return None;
        }
        (tries.wrong >= FREE).then(|| Arc::clone(&tries.turns))
    }

    /// Counts a wrong token.
    fn note(&self, from: IpAddr) {
        self.wrong.fetch_add(1, Ordering::Relaxed);
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let last = Instant::now();
        let tries = of.entry(from).or_insert_with(|| Tries {
            wrong: 0,
            last,
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        });
        tries.wrong = tries.wrong.saturating_add(1);
        tries.last = last;
        if of.len() > ADDRESSES_MAX {
            let idle = of.iter().filter(|(_, tries)| tries.is_idle());
            let oldest = idle.min_by_key(|(_, tries)| tries.last);
            if let Some(address) = oldest.map(|(&address, _)| address) {
                of.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{future::Future, net::Ipv4Addr};

    const RIGHT: &str = "right-token";

    /// Runs a future to its end.
    fn run<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(future)
    }

    fn address(last: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, last).into()
    }

    async fn check(guesses: &Guesses, token: Option<&str>, from: IpAddr) -> (Verdict, bool) {
        let control: Control = RIGHT.parse().unwrap();
        let began = Instant::now();
        let verdict = guesses.check(&control, token, from).await;
        (verdict, began.elapsed() >= DELAY)
    }

    /// Returns the result of a future that needs no time; `None` if it waits.
    async fn poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        tokio::time::timeout(Duration::ZERO, future).await.ok()
    }

    #[test]
    fn eleventh_guess_waits() {
        run(async {
            let guesses = Guesses::default();
            for _ in 0..FREE {
                let found = check(&guesses, Some("wrong-token"), address(1)).await;
                assert_eq!(found, (Verdict::Wrong, false));
            }
            let found = check(&guesses, Some("wrong-token"), address(1)).await;
            assert_eq!(found, (Verdict::Wrong, true));
            // The right one, too: an answer at once would tell it from the others.
            let found = check(&guesses, Some(RIGHT), address(1)).await;
            assert_eq!(found, (Verdict::Allowed, true));
            assert_eq!(guesses.wrong(), u64::from(FREE) + 1);
            // Neither other addresses nor clients without a token wait.
            let found = check(&guesses, Some(RIGHT), address(2)).await;
            assert_eq!(found, (Verdict::Allowed, false));
            let found = check(&guesses, None, address(1)).await;
            assert_eq!(found, (Verdict::Wrong, false));
        });
    }

    #[test]
    fn many_guesses_at_once() {
        let guesses = Guesses::default();
        for _ in 0..FREE {
            guesses.note(address(1));
        }
        run(async {
            let guess = || check(&guesses, Some("wrong-token"), address(1));
            let mut waiting: Vec<_> = (0..AT_ONCE).map(|_| Box::pin(guess())).collect();
            for guess in &mut waiting {
                assert!(poll_once(guess).await.is_none(), "it waits");
            }
            assert_eq!(guess().await, (Verdict::TooMany, false));
            waiting.pop();
            assert!(
                poll_once(&mut Box::pin(guess())).await.is_none(),
                "it waits"
            );
        });
    }

    /// Clients that leave within the delay shut out nobody who comes later.
    #[test]
    fn guesses_that_leave() {
        run(async {
            let guesses = Guesses::default();
            for _ in 0..FREE {
                guesses.note(address(1));
            }
            for _ in 0..2 * AT_ONCE {
                let leaving = check(&guesses, Some("wrong-token"), address(1));
                let left = tokio::time::timeout(Duration::from_millis(1), leaving).await;
                assert!(left.is_err(), "{left:?}");
            }
            let found = check(&guesses, Some(RIGHT), address(1)).await;
            assert_eq!(found, (Verdict::Allowed, true));
        });
    }

    #[test]
    fn addresses_are_bounded() {
        let guesses = Guesses::default();
        for number in 0..2 * ADDRESSES_MAX as u32 {
            guesses.note(Ipv4Addr::from_bits(number).into());
        }
        assert_eq!(guesses.of.lock().unwrap().len(), ADDRESSES_MAX);
    }
}
