//! The faults of a case, and the fewest of them that still break it.

use nav_drawn::Input;
use std::fmt;

/// Faults, each with the tick before which it happens.
#[derive(Clone, Debug, Default)]
pub struct Script(Vec<(u64, Input)>);

impl Script {
    /// Adds the faults of a tick.
    pub fn extend(&mut self, tick: u64, inputs: &[Input]) {
        self.0
            .extend(inputs.iter().map(|input| (tick, input.clone())));
    }

    /// Returns the faults of a tick.
    pub fn at(&self, tick: u64) -> impl Iterator<Item = &Input> {
        let first = self.0.partition_point(|&(other, _)| other < tick);
        let here = self.0[first..].iter();
        here.take_while(move |&&(other, _)| other == tick)
            .map(|(_, input)| input)
    }

    /// Returns the last fault.
    pub fn last(&self) -> Option<&Input> {
        self.0.last().map(|(_, input)| input)
    }

    /// Leaves faults out, as long as the rest still fails, within a number of attempts: first
    /// halves of the script, then ever smaller pieces. (Delta debugging, after Zeller and
    /// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002.)
    pub fn shrunk(mut self, attempts: u32, mut fails: impl FnMut(&Self) -> bool) -> Self {
        let mut left = attempts;
        let mut piece = self.0.len().div_ceil(2);
        while piece > 0 && left > 0 {
            let mut first = 0;
            while first < self.0.len() && left > 0 {
                let mut less = self.clone();
                less.0.drain(first..(first + piece).min(less.0.len()));
                left -= 1;
                if fails(&less) {
                    self = less;
                } else {
                    first += piece;
                }
            }
            piece /= 2;
        }
        self
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|(tick, input)| writeln!(f, "{tick}: {input:?}"))
    }
}

/// Shrinks to the two faults that matter, of a hundred.
#[test]
fn shrinks_to_what_matters() {
    let mut script = Script::default();
    for tick in 1..=100 {
        script.extend(tick, &[Input::Budget(Some(tick as u32))]);
    }
    let has = |script: &Script, tick| script.at(tick).next().is_some();
    let shrunk = script.shrunk(200, |script| has(script, 17) && has(script, 80));
    assert_eq!(
        shrunk.to_string(),
        "17: Budget(Some(17))\n80: Budget(Some(80))\n"
    );
}
