//! Pictures of scenarios, from the outside.

use crate::common::Program;
use gif::{ColorOutput, DecodeOptions};

#[test]
fn film_of_a_run() {
    let program = Program::new("a_run_is_filmed");
    let run = "run hunt --seconds 2 --threads 1";
    let plain = program.json(run);
    let filmed = program.json(&format!("{run} --gif hunt.gif"));
    assert!(plain["digest"].is_string());
    assert_eq!(plain["digest"], filmed["digest"]);
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    let bytes = program.read("hunt.gif");
    let mut decoder = options.read_info(&*bytes).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (720, 432));
    let (mut frames, mut in_motion) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.delay, 5);
        frames += 1;
        in_motion += usize::from(frame.width > 100 && frame.height > 100);
    }
    assert_eq!(frames, 40);
    assert!(in_motion > 30, "{in_motion}");
}

#[test]
fn picture_of_a_tick() {
    let program = Program::new("a_tick_of_a_scenario");
    let shown = program.succeed("show --scenario doors --tick 240 --png doors.png");
    assert_eq!(
        shown,
        "agents: blue target, red within reach, blue-green idle\nground: black wall, white floor\n\
         tick 240: 11 agents, 8 beside their target\n"
    );
    let mut decoder = png::Decoder::new(std::io::Cursor::new(program.read("doors.png")));
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((frame.width, frame.height), (576, 320));
    // The body in the door is drawn, and so is the target.
    let colour = |x: usize, y: usize| pixels[y * 576 + x];
    let (idle, target, floor) = (
        colour(17 * 16 + 8, 4 * 16 + 8),
        colour(26 * 16 + 8, 7 * 16 + 8),
        colour(40, 40),
    );
    assert!(idle != floor && target != floor && idle != target);
}

#[test]
fn floors_side_by_side() {
    let program = Program::new("floors_side_by_side");
    program.succeed("show --scenario stairs --png stairs.png");
    let decoder = png::Decoder::new(std::io::Cursor::new(program.read("stairs.png")));
    let info = decoder.read_info().unwrap();
    assert!(info.info().width > 2 * info.info().height);
}

#[test]
fn refused_before_the_run() {
    let program = Program::new("what_cannot_be_drawn");
    program.succeed("generate open --size 3000x4 long.txt");
    for (arguments, expected) in [
        (
            "run --map long.txt --gif a.gif",
            "a picture of agents shows maps of at most 2048 columns, floors side by side, and as many rows; this one has 3000 and 4",
        ),
        (
            "run hunt --seconds 1000 --gif a.gif",
            "a.gif: a moving picture has at most 2400 frames, 120 seconds here: use a shorter --seconds",
        ),
    ] {
        assert_eq!(program.fail(arguments), expected, "{arguments}");
    }
    let missing = program.fail("run hunt --gif none/a.gif");
    assert!(missing.starts_with("none/a.gif: "), "{missing}");
}
