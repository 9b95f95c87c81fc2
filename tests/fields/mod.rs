//! Fields that chasers share: around one target, over portals, and around a group.

mod far;
mod groups;
mod shared;
