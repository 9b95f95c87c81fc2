//! Counts over all zones.

use crate::{envelope::Topic, exchange::Exchange};
use nav::internals::{CountKind, CountTogether, FieldAsk};

/// Counter that uses one round of messages for each count.
pub(crate) struct CountInRounds(pub(crate) Exchange);

impl CountTogether for CountInRounds {
    fn asks(&mut self, counted: CountKind, own: &[FieldAsk]) -> Vec<FieldAsk> {
        let others = self.0.send_and_receive(Topic::Count(counted), |_| own);
        let others = others
            .into_iter()
            .flat_map(|(_, asks): (_, Vec<FieldAsk>)| asks);
        FieldAsk::merge_all(others.chain(own.iter().copied()))
    }

    fn total(&mut self, counted: CountKind, own: usize) -> usize {
        let others = self
            .0
            .send_and_receive(Topic::Count(counted), |_| own as u64);
        let others = others
            .into_iter()
            .map(|(_, count): (_, u64)| count as usize);
        others.fold(own, usize::saturating_add)
    }
}
