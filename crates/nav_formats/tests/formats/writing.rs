//! What is written reads back.

use super::*;

fn framed_yard() -> MapFile {
    MapFile {
        grid: yard(),
        frame: Some(Frame::new([-30.0, 0.5, 1e-7], 0.1, Axes::Y_UP).unwrap()),
    }
}

#[test]
fn a_format_gives_back_what_it_holds_and_refuses_what_it_does_not() {
    for map in [MapFile::from(yard()), framed_yard()] {
        for &format in Format::ALL {
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
fn a_refusal_names_the_format_and_what_it_would_lose() {
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
fn what_fits_is_written_on_request() {
    for &format in Format::ALL {
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
fn features_print_as_a_list() {
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
