//! Common parts of maps of editors, be they of Tiled or of `LDtk`: names with a meaning, layers
//! that add up to a grid, and things that are links or objects of the game.

mod canvas;
mod item;
mod json;
mod link;
mod map;
mod object;

pub(crate) use canvas::{Canvas, Role, size_of};
pub(crate) use item::{Editor, Item, NoPlace, Place};
pub(crate) use json::{Value, parse_json, starts_with};

pub(crate) use link::{Fault, LINK_NUMBERS};
pub(crate) use map::LeftOut;
