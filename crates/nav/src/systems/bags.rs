//! What tasks collect, each in a bag of its own.

use std::sync::{Mutex, PoisonError};

/// Bags for tasks that run side by side. Which task filled which bag does not show if what is in
/// them is put in order afterwards. Bags are kept, with the buffers in them.
#[derive(Debug)]
pub(crate) struct Bags<B>(Mutex<Vec<Box<B>>>);

impl<B> Default for Bags<B> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<B: Default> Bags<B> {
    /// A bag for one task, which comes back when the task is done; it may have something in it.
    pub(crate) fn take(&self) -> Bag<'_, B> {
        let bag = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Bag {
            bags: self,
            content: Some(bag.unwrap_or_default()),
        }
    }

    /// All bags, in no particular order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut B> {
        let bags = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        bags.iter_mut().map(|bag| &mut **bag)
    }
}

/// What one task collects. Small, since Bevy's iterations hand it from item to item.
pub(crate) struct Bag<'a, B: Default> {
    bags: &'a Bags<B>,
    /// Gone only while it is dropped.
    content: Option<Box<B>>,
}

impl<B: Default> Bag<'_, B> {
    /// What is in it.
    #[inline]
    pub(crate) fn content(&mut self) -> &mut B {
        self.content.get_or_insert_default()
    }
}

impl<B: Default> Drop for Bag<'_, B> {
    fn drop(&mut self) {
        if let Some(content) = self.content.take() {
            let mut bags = self.bags.0.lock().unwrap_or_else(PoisonError::into_inner);
            bags.push(content);
        }
    }
}
