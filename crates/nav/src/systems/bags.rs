//! What tasks collect, each in a bag of its own.

use std::{
    ops::{Deref, DerefMut},
    sync::{Mutex, PoisonError},
};

/// Bags for tasks that run side by side. Which task filled which bag does not show if what is in
/// them is put in order afterwards. Bags are kept, with the buffers in them.
#[derive(Debug)]
pub(crate) struct Bags<B>(Mutex<Vec<B>>);

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
            content: bag.unwrap_or_default(),
        }
    }

    /// All bags, in no particular order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut B> {
        let bags = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        bags.iter_mut()
    }
}

/// What one task collects.
pub(crate) struct Bag<'a, B: Default> {
    bags: &'a Bags<B>,
    content: B,
}

impl<B: Default> Drop for Bag<'_, B> {
    fn drop(&mut self) {
        let content = std::mem::take(&mut self.content);
        let mut bags = self.bags.0.lock().unwrap_or_else(PoisonError::into_inner);
        bags.push(content);
    }
}

impl<B: Default> Deref for Bag<'_, B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.content
    }
}

impl<B: Default> DerefMut for Bag<'_, B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.content
    }
}
