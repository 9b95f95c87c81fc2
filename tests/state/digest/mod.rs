//! Everything on which a later tick depends is part of the digest.
//!
//! Components and resources are taken apart as they are saved. Every number, flag and name in them
//! is changed, one at a time, and each change must give another digest. A field that is added later
//! is found in the same way.

mod agents;
mod carried_over;
mod fields;
mod maps;
mod scene;
mod variants;
