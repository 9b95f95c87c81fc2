//! Written maps read back.

use crate::yard::{YARD_MOVINGAI, yard};
use nav_formats::{Features, Format, MapFile, WriteError};
use nav_grid::{
    Cell, Frame,
    map::{Axes, FloorHeights},
};

fn framed_yard() -> MapFile {
    let frame = Frame::new([-30.0, 0.5, 1e-7], 0.1, Axes::Y_UP).unwrap();
    MapFile::from(yard()).with_frame(frame)
}

#[test]
fn kept_or_refused() {
    let plain = MapFile::from(yard());
    let mut lifted = framed_yard();
    let frame = lifted.frame.take().unwrap();
    lifted.frame = Some(frame.with_heights(FloorHeights::Storeys(3.2)).unwrap());
    let roads = plain.clone().with_roads([Cell::new(1, 1)]);
    for map in [plain, framed_yard(), lifted, roads] {
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
                let rest = format.write_what_fits(&map, "").unwrap();
                assert_eq!(format.read(&rest).unwrap().grid, map.grid, "{format}");
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
