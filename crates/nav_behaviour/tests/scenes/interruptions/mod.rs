//! Events that happen to an agent in any state: afterwards it is where the rules say, and no
//! outdated path is followed.

mod check;
mod events;
mod scene;
