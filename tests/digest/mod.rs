//! What the digest covers: everything that a later tick depends on.
//!
//! Components and resources are taken apart as they are saved, and every number, flag and name in
//! them is changed, one at a time: each must give another digest. A field that is added later is
//! found in the same way.

mod agents;
mod carried_over;
mod fields;
mod maps;
mod scene;
mod variants;
