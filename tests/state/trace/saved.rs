//! Sessions that are saved at any tick and restored continue like the original.

use nav::saving::NavSave;
use nav_drawn::{Draw, Rooms};
use nav_tests::by_tier;

/// Returns a save after a round trip through postcard.
pub fn by_postcard(save: NavSave) -> NavSave {
    let bytes = postcard::to_allocvec(&save).expect("a save is written");
    postcard::from_bytes(&bytes).expect("and read")
}

/// Frames for which the two are compared.
const FRAMES: u32 = 80;

/// Runs sessions, saves and restores each at a drawn frame, and compares both from then on.
fn goes_on(rooms: Rooms) {
    let mut wrong = Vec::new();
    for seed in 0..by_tier(2, 12) {
        let mut session = rooms.session(rooms.app(), 60, seed);
        let mut draw = Draw::new(seed);
        let at = 1 + draw.below(150);
        session.run(at);
        session.stage.shuffle(&mut draw);
        let mut other = session.stage.restored(by_postcard).unwrap();
        for frame in 0..=FRAMES {
            if session.stage.world.digest() != other.world.digest() {
                wrong.push(format!(
                    "seed {seed}, saved at {at}: differs {frame} frames later"
                ));
                break;
            }
            session.frame_beside(&mut other);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn far_targets() {
    goes_on(Rooms {
        far: true,
        ..Rooms::default()
    });
}

#[test]
fn far_targets_beyond_links() {
    goes_on(Rooms {
        far: true,
        links: true,
        ..Rooms::default()
    });
}

#[test]
fn far_targets_on_edited_ground() {
    goes_on(Rooms {
        far: true,
        links: true,
        bodies: true,
        edits: 20,
        ..Rooms::default()
    });
}

#[test]
fn far_targets_under_a_budget() {
    goes_on(Rooms {
        far: true,
        links: true,
        budget: Some(300),
        ..Rooms::default()
    });
}

#[test]
fn behaviours() {
    goes_on(Rooms {
        bodies: true,
        behaviours: true,
        comings: 20,
        ..Rooms::default()
    });
}
