//! Far fields: distances to one target from everywhere, over the portals of the map.

mod field;
mod flow;
mod spread;

pub use field::{FieldError, PortalField};
pub use flow::{FieldMove, PortalFlow};
