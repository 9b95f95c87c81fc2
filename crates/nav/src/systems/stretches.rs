//! Passing over what there is nothing to do for.

/// How many items are looked at in one go.
const STRETCH: usize = 64;

/// The stretches of a list in which something holds of some item, and where in the list each begins.
///
/// Without a branch from item to item: it holds of none in most stretches, and then all have to be
/// looked at.
#[inline]
pub(crate) fn stretches<T>(
    items: &[T],
    holds: impl Fn(&T) -> bool,
) -> impl Iterator<Item = (usize, &[T])> {
    let firsts = (0..).step_by(STRETCH);
    let stretches = firsts.zip(items.chunks(STRETCH));
    stretches.filter(move |(_, items)| items.iter().fold(false, |any, item| any | holds(item)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_without_any_are_left_out() {
        let mut items = [0; 3 * STRETCH + 5];
        (items[STRETCH], items[3 * STRETCH + 4]) = (1, 1);
        let found: Vec<(usize, usize)> = stretches(&items, |&item| item == 1)
            .map(|(first, items)| (first, items.len()))
            .collect();
        assert_eq!(found, [(STRETCH, STRETCH), (3 * STRETCH, 5)]);
        assert_eq!(stretches(&items, |_| true).count(), 4);
        assert_eq!(stretches(&[0; 0], |_| true).count(), 0);
    }
}
