//! Chases that agents begin by themselves: by noticing a target, or by a call.

mod components;
mod index;
mod look;
mod view_cone;

pub use components::{Notice, Noticeable, Noticed};
pub use look::NoticePlugin;
pub use view_cone::ViewCone;
