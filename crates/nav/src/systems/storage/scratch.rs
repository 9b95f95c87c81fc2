//! Scratch memory of tasks that run side by side.

use std::sync::{Mutex, PoisonError};

/// Scratch memory, one piece per task. Which task filled which piece does not show if what is in
/// them is put in order afterwards. Pieces are kept from tick to tick, with the buffers in them.
#[derive(Debug)]
pub struct ScratchPool<S>(Mutex<Vec<Box<S>>>);

impl<S> Default for ScratchPool<S> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<S: Default> ScratchPool<S> {
    /// A piece for one task, which comes back when the task is done; it may have something in it.
    pub fn take(&self) -> Scratch<'_, S> {
        let piece = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Scratch {
            pool: self,
            piece: Some(piece.unwrap_or_default()),
        }
    }

    /// All pieces, in no particular order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut S> {
        let pieces = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        pieces.iter_mut().map(|piece| &mut **piece)
    }
}

/// The scratch memory of one task.
pub struct Scratch<'a, S: Default> {
    pool: &'a ScratchPool<S>,
    /// Gone only while it is dropped.
    piece: Option<Box<S>>,
}

impl<S: Default> Scratch<'_, S> {
    /// The piece.
    #[inline]
    pub fn get(&mut self) -> &mut S {
        self.piece.get_or_insert_default()
    }
}

impl<S: Default> Drop for Scratch<'_, S> {
    fn drop(&mut self) {
        if let Some(piece) = self.piece.take() {
            let mut pieces = self.pool.0.lock().unwrap_or_else(PoisonError::into_inner);
            pieces.push(piece);
        }
    }
}
