//! Where reading of the plugin's messages stands.

use bevy_ecs::{message::MessageCursor, prelude::*};
use nav::{EditRefused, PathBroken, PathFailed, PathFound, TargetReached, ValueRefused};

/// One cursor for each message of the plugin. Messages are read and left where they are, for the game.
#[derive(Debug, Default)]
pub(super) struct Cursors {
    pub(super) found: MessageCursor<PathFound>,
    pub(super) failed: MessageCursor<PathFailed>,
    pub(super) reached: MessageCursor<TargetReached>,
    pub(super) broken: MessageCursor<PathBroken>,
    pub(super) refused: MessageCursor<EditRefused>,
    pub(super) values: MessageCursor<ValueRefused>,
}

/// Adds what is new to what was read so far, each with the tick.
pub(super) fn read<M: Message + Copy>(
    cursor: &mut MessageCursor<M>,
    world: &World,
    tick: u64,
    all: &mut Vec<(u64, M)>,
) {
    if let Some(messages) = world.get_resource::<Messages<M>>() {
        all.extend(cursor.read(messages).map(|&message| (tick, message)));
    }
}
