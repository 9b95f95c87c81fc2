//! Kernels on words of bits that know nothing of maps.

mod neighbours;
mod transpose;
mod wide;
mod words;

pub(crate) use neighbours::around_in;
pub(crate) use transpose::{BitSquare, transposed_bytes};
pub(crate) use wide::{Wide, widely};
pub(crate) use words::{joined, ones, read};
