//! Guesses of the control token: after some wrong ones each takes a while.

use crate::control::Control;
use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::time::{Instant, sleep};

/// Wrong tokens of an address that are answered at once. More than anybody mistypes.
const FREE: u32 = 10;

/// How long a further token takes, right or wrong: long for who tries many, and short for somebody behind the same
/// proxy who has the right one.
const DELAY: Duration = Duration::from_secs(1);

/// Tokens of an address that take this time at once; more are refused. So an address has this many tries a second,
/// of 64⁸ or more tokens.
const AT_ONCE: u32 = 8;

/// After this time without a wrong token an address begins again. A guess.
const FORGOTTEN: Duration = Duration::from_mins(10);

/// Addresses that are kept at most; beyond, the one whose last wrong token is longest ago is forgotten. A guess: 64 KiB.
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

#[derive(Clone, Copy)]
struct Tries {
    wrong: u32,
    last: Instant,
    /// Tokens that are being checked.
    waiting: u32,
}

impl Guesses {
    /// Checks the token that a client at an address sent, if any.
    pub(crate) async fn check(
        &self,
        control: &Control,
        token: Option<&str>,
        from: IpAddr,
    ) -> Verdict {
        let verdict = if control.allows(token) {
            Verdict::Allowed
        } else {
            Verdict::Wrong
        };
        // Without a token nothing is guessed.
        let (Control::Token(_), Some(_)) = (control, token) else {
            return verdict;
        };
        match self.enter(from) {
            Entry::AtOnce => {}
            Entry::After(_turn) => sleep(DELAY).await,
            Entry::Refused => return Verdict::TooMany,
        }
        if verdict == Verdict::Wrong {
            self.note(from);
        }
        verdict
    }

    /// Wrong tokens so far.
    pub(crate) fn wrong(&self) -> u64 {
        self.wrong.load(Ordering::Relaxed)
    }

    /// Returns when the next token of an address is checked.
    fn enter(&self, from: IpAddr) -> Entry<'_> {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(tries) = of.get_mut(&from) else {
            return Entry::AtOnce;
        };
        if tries.waiting == 0 && tries.last.elapsed() > FORGOTTEN {
            of.remove(&from);
            return Entry::AtOnce;
        }
        if tries.wrong < FREE {
            return Entry::AtOnce;
        }
        if tries.waiting >= AT_ONCE {
            return Entry::Refused;
        }
        tries.waiting += 1;
        Entry::After(Turn {
            guesses: self,
            from,
        })
    }

    /// Counts a wrong token.
    fn note(&self, from: IpAddr) {
        self.wrong.fetch_add(1, Ordering::Relaxed);
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let last = Instant::now();
        let tries = of.entry(from).or_insert(Tries {
            wrong: 0,
            last,
            waiting: 0,
        });
        tries.wrong = tries.wrong.saturating_add(1);
        tries.last = last;
        if of.len() > ADDRESSES_MAX
            && let Some(oldest) = of
                .iter()
                .filter(|(_, tries)| tries.waiting == 0)
                .min_by_key(|(_, tries)| tries.last)
                .map(|(&address, _)| address)
        {
            of.remove(&oldest);
        }
    }
}

/// The moment at which a token is checked.
enum Entry<'a> {
    AtOnce,
    /// After the delay, within which it has a turn.
    After(Turn<'a>),
    /// Not at all: too many are being checked.
    Refused,
}

/// One of the tokens of an address that are being checked at once. It ends when dropped: a client may leave before its
/// delay is over.
struct Turn<'a> {
    guesses: &'a Guesses,
    from: IpAddr,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let of = self.guesses.of.lock();
        let mut of = of.unwrap_or_else(PoisonError::into_inner);
        if let Some(tries) = of.get_mut(&self.from) {
            tries.waiting -= 1;
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
        let mut turns: Vec<Entry<'_>> = (0..AT_ONCE).map(|_| guesses.enter(address(1))).collect();
        assert!(turns.iter().all(|turn| matches!(turn, Entry::After(_))));
        assert!(matches!(guesses.enter(address(1)), Entry::Refused));
        turns.pop();
        assert!(matches!(guesses.enter(address(1)), Entry::After(_)));
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
