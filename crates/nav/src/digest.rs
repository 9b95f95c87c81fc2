//! The fingerprint of a world's navigation state.

use crate::{AgentId, CellPosition, FieldAnchor, MoveTimer, NavClock, NavTimer, PathCursor};
use bevy_ecs::prelude::*;

/// A fingerprint of the clock and of every agent with an [`AgentId`]: number, place, path,
/// timers, and where its fields are aimed. Chasers have one; targets do if the game gives them one.
/// Who is on which map and chases whom is not in it; it shows in the paths.
///
/// Equal worlds have equal digests on every machine, for any number of threads, in debug and
/// release, and across save and load: agents are hashed with their [`AgentId`] and summed up, so
/// neither entity ids nor storage order leak in.
///
/// # Complexity
///
/// One pass over all agents, and one over the waypoints of their paths.
pub fn digest(world: &mut World) -> u64 {
    let now = world
        .get_resource::<NavClock>()
        .map_or(0, |clock| clock.now().0);
    let mut agents = world.query::<(
        &AgentId,
        &CellPosition,
        Option<&PathCursor>,
        Option<&NavTimer>,
        Option<&MoveTimer>,
        Option<&FieldAnchor>,
    )>();
    agents.iter(world).fold(
        mix(0, now),
        |sum, (id, position, cursor, search, step, anchor)| {
            let mut hash = mix(u64::from(id.0), cell(position));
            if let Some(cursor) = cursor {
                hash = mix(hash, cursor.state_code());
                if let Some(place) = cursor.searched_for() {
                    hash = mix(hash, cell(&place));
                }
                for waypoint in cursor.path().iter() {
                    hash = mix(hash, cell(&CellPosition::at(waypoint)));
                }
            }
            if let Some(timer) = search {
                hash = mix(
                    mix(hash, timer.next_search().0),
                    u64::from(timer.failures()),
                );
            }
            if let Some(timer) = step {
                hash = mix(hash, timer.next_step.0);
            }
            let aims = anchor.map(|anchor| [anchor.aimed, anchor.far]);
            for (place, moment) in aims.into_iter().flatten().flatten() {
                hash = mix(mix(hash, cell(&place)), moment.0);
            }
            sum.wrapping_add(mix(hash, 1))
        },
    )
}

fn cell(position: &CellPosition) -> u64 {
    let CellPosition {
        cell,
        offset: [along, down],
    } = *position;
    u64::from(cell.x)
        | u64::from(cell.y) << 16
        | u64::from(cell.floor) << 32
        | u64::from(along) << 40
        | u64::from(down) << 48
}

/// One round of the `SplitMix64` finaliser over the two words.
fn mix(hash: u64, word: u64) -> u64 {
    let mut z = (hash.rotate_left(23) ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
