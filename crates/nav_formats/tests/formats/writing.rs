//! Written maps read back.

use crate::yard::{YARD_MOVINGAI, yard};
use nav_formats::{Features, Format, MapFile, WriteError};
use nav_grid::{Frame, map::Axes};

fn framed_yard() -> MapFile {
    let frame = Frame::new([-30.0, 0.5, 1e-7], 0.1, Axes::Y_UP).unwrap();
    MapFile::from(yard()).with_frame(frame)
}

#[test]
fn kept_or_refused() {
    for map in [MapFile::from(yard()), framed_yard()] {
        for &format in Format::ALL.iter().filter(|format| format.can_write()) {
            let written = format.write(&map, "A yard.");
            if format.holds().contains(map.features()) {
                let again = format.read(&written.unwrap()).unwrap();
                assert_eq!(again.grid, map.grid, "{format}");
                if map.frame.is_some() {
                    assert_eq!(again.frame, map.frame, "{format}");
                }
            } else {
                let lost = map.features().without(format.holds());
                assert_eq!(written, Err(WriteError::Loses { format, lost }));
            }
        }
    }
}

#[test]
fn refusal_names_loss() {
    let refused = |format: Format| format.write(&framed_yard(), "").unwrap_err().to_string();
    assert_eq!(
        refused(Format::Text),
        "the plain text format cannot hold a frame of this map; \
         choose a format that can, or write only what fits"
    );
    assert_eq!(
        refused(Format::MovingAi),
        "the MovingAI format cannot hold a frame of this map; \
         choose a format that can, or write only what fits"
    );
}

#[test]
fn what_fits() {
    for &format in Format::ALL.iter().filter(|format| format.can_write()) {
        let file = format.write_what_fits(&framed_yard(), "A yard.").unwrap();
        assert_eq!(format.read(&file).unwrap().grid, yard(), "{format}");
    }
    assert_eq!(
        Format::MovingAi
            .write_what_fits(&framed_yard(), "A yard.")
            .unwrap(),
        YARD_MOVINGAI.as_bytes()
    );
}

#[test]
fn features_as_list() {
    let all = Features::FLOORS
        .union(Features::COSTS)
        .union(Features::EXITS)
        .union(Features::LINKS)
        .union(Features::FRAME);
    assert_eq!(
        all.to_string(),
        "several floors, step costs, exits, links and a frame"
    );
    let two = Features::FRAME.union(Features::FLOORS);
    assert_eq!(two.to_string(), "several floors and a frame");
    assert_eq!(two.without(Features::FLOORS).to_string(), "a frame");
    assert_eq!(Features::NONE.to_string(), "nothing");
    assert!(all.contains(two) && !two.contains(all) && two.contains(Features::NONE));
}
