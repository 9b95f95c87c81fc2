//! NPCs that begin chases by themselves: who notices whom, and who is called by whom.

mod chosen;
mod components;
mod crowd;
mod look;
mod marks;
mod nearby;
mod plugin;
mod seen;
mod watch;
mod watchers;

pub use components::{Notice, Noticeable, Noticed};
pub use plugin::NoticePlugin;
