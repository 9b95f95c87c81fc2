//! A world is saved in the middle of a chase, restored in a fresh app, and goes on alike: the
//! fingerprints of both stay equal.
//!
//! One call saves maps, agents and clock, through any format of serde. Entities get other ids when
//! they are restored; the call that restores them says which.

use nav::prelude::*;
use nav::saving::{NavSave, save};
use nav_examples::{app, run_seconds};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app_one = app();
    let world = app_one.world_mut();
    let mut map = NavMap::new(Grid::open(64, 32)?);
    // Indexes are not saved. They are built again after reading.
    map.build_regions(Rules::default());
    let map = world.spawn(map).id();
    let player = (CellPosition::new(50, 20), OnMap(map));
    let player = world.spawn(player).id();
    for n in 0..40 {
        let place = (CellPosition::new(n % 8, n / 8), OnMap(map));
        world.spawn((Chaser::default(), place, Chasing(player)));
    }
    run_seconds(&mut app_one, 3);

    let text = serde_json::to_string(&save(app_one.world_mut())?)?;
    println!("{} bytes saved in the middle of a chase", text.len());

    let mut app_two = app();
    let saved: NavSave = serde_json::from_str(&text)?;
    let entities = saved.restore(app_two.world_mut())?;
    println!("the player was {player} and is {}", entities[&player]);
    for seconds in [0, 1, 5] {
        run_seconds(&mut app_one, seconds);
        run_seconds(&mut app_two, seconds);
        let [one, two] = [&mut app_one, &mut app_two].map(|app| digest(app.world_mut()));
        println!("{seconds} s later: {one:016x} and {two:016x}");
        if one != two {
            return Err("the restored world went another way".into());
        }
    }
    Ok(())
}
