//! Tracks missing packets, and decides what to request.

use crate::settings::Settings;
use nav_protocol::{AGAIN_MAX, Ask};

/// Most packets that may be missing before the whole view is requested: four full requests. A
/// guess.
const MISSING_MAX: usize = 64;

/// Requests for a packet before the whole view is requested: 2.4 s at the default `retry`.
const TRIES_MAX: u8 = 6;

/// A packet that did not arrive.
#[derive(Clone, Copy, Debug)]
struct Missing {
    sequence: u32,
    /// The time at which to request it.
    ask_at: f64,
    tries: u8,
}

/// The missing packets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps {
    /// Greatest sequence received; 0 for none.
    newest: u32,
    missing: Vec<Missing>,
    /// The time at which to request the whole view, if it is needed.
    resync_at: Option<f64>,
}

impl Gaps {
    /// Returns the greatest sequence received.
    pub(crate) const fn newest(&self) -> u32 {
        self.newest
    }

    /// Starts again at a sequence. Earlier packets no longer count as missing.
    pub(crate) fn start(&mut self, sequence: u32) {
        self.missing.retain(|missing| missing.sequence > sequence);
        self.newest = self.newest.max(sequence);
        self.resync_at = None;
    }

    /// Records a packet. Returns whether it is the first of its sequence.
    pub(crate) fn note(&mut self, sequence: u32, now: f64, settings: &Settings) -> bool {
        if sequence <= self.newest {
            let place = self
                .missing
                .iter()
                .position(|missing| missing.sequence == sequence);
            return match place {
                Some(place) => {
                    self.missing.swap_remove(place);
                    true
                }
                None => false,
            };
        }
        let ask_at = now + settings.reorder.as_secs_f64();
        let gap = sequence - self.newest - 1;
        if self.missing.len().saturating_add(gap as usize) > MISSING_MAX {
            self.want_resync(now);
        } else {
            self.missing
                .extend((self.newest + 1..sequence).map(|sequence| Missing {
                    sequence,
                    ask_at,
                    tries: 0,
                }));
        }
        self.newest = sequence;
        true
    }

    /// Schedules a request for the whole view.
    pub(crate) fn want_resync(&mut self, at: f64) {
        self.missing.clear();
        self.resync_at.get_or_insert(at);
    }

    /// Returns the request that is due.
    pub(crate) fn ask(&mut self, now: f64, settings: &Settings) -> Option<Ask> {
        let next = now + settings.retry.as_secs_f64();
        if self
            .missing
            .iter()
            .any(|missing| missing.tries >= TRIES_MAX)
        {
            self.want_resync(now);
        }
        if let Some(at) = self.resync_at {
            if now < at {
                return None;
            }
            self.resync_at = Some(next);
            return Some(Ask::Resync);
        }
        let all = self.missing.iter_mut();
        let mut due = all.filter(|missing| missing.ask_at <= now).peekable();
        due.peek()?;
        let sequences = due.take(AGAIN_MAX).map(|missing| {
            missing.ask_at = next;
            missing.tries += 1;
            missing.sequence
        });
        Some(Ask::Again(sequences.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gap_then_whole_view() {
        let settings = Settings::default();
        let mut gaps = Gaps::default();
        assert!(gaps.note(1, 0.0, &settings));
        assert!(gaps.note(4, 0.0, &settings));
        assert!(!gaps.note(4, 0.0, &settings), "twice");
        assert_eq!(gaps.ask(0.1, &settings), None, "may be late");
        assert!(gaps.note(2, 0.1, &settings));
        assert_eq!(gaps.ask(0.2, &settings), Some(Ask::Again(vec![3])));
        assert_eq!(gaps.ask(0.3, &settings), None);
        let asked: Vec<Ask> = (1..10)
            .filter_map(|n| gaps.ask(0.2 + f64::from(n) * 0.5, &settings))
            .collect();
        assert_eq!(asked.iter().filter(|ask| **ask == Ask::Resync).count(), 4);
        gaps.start(9);
        assert_eq!(gaps.ask(9.0, &settings), None);
        assert!(!gaps.note(3, 9.0, &settings), "from before");
    }

    #[test]
    fn wide_gap() {
        let settings = Settings::default();
        let mut gaps = Gaps::default();
        assert!(gaps.note(u32::MAX, 0.0, &settings));
        assert_eq!(gaps.ask(0.0, &settings), Some(Ask::Resync));
    }
}
