//! Map files: what is read, what is refused and in which words.

use nav_grid::{
    Axes, Cell, Frame, Grid,
    formats::{
        Features, Format, MapFile, ParseError, Position, Problem, WriteError, movingai, text,
    },
};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn yard() -> Grid {
    Grid::from_fn(5, 3, |Cell { x, y, .. }| {
        (y == 1 && (1..4).contains(&x)) || (x, y) == (2, 2)
    })
    .unwrap()
}

const YARD_TEXT: &str = "#####\n#...#\n##.##\n";
const YARD_MOVINGAI: &str = "type octile\nheight 3\nwidth 5\nmap\n@@@@@\n@...@\n@@.@@\n";

#[track_caller]
fn refused(result: Result<Grid, ParseError>, sentence: &str) {
    assert_eq!(result.unwrap_err().to_string(), sentence);
}

mod text_files {
    use super::*;

    #[test]
    fn are_read() {
        assert_eq!(text::read(YARD_TEXT.as_bytes()), Ok(yard()));
    }

    #[test]
    fn are_written_with_their_comment() {
        assert_eq!(text::write(&yard(), ""), YARD_TEXT);
        assert_eq!(
            text::write(&yard(), "A yard.\n\n  One gate.\n"),
            format!("; A yard.\n;\n;   One gate.\n{YARD_TEXT}")
        );
    }

    #[test]
    fn line_ends_comments_and_blank_lines_do_not_matter() {
        let crlf = YARD_TEXT.replace('\n', "\r\n");
        for file in [
            crlf.as_str(),
            YARD_TEXT.trim_end(),
            crlf.trim_end(),
            &format!("{YARD_TEXT}\n\n"),
            &format!("{crlf}\r\n\r\n"),
            &format!(";\n; \u{e4}ny \t bytes \0\n;;\n{YARD_TEXT}"),
            &format!("; a\r\n\r\n; b\r\n\r\n{crlf}"),
        ] {
            assert_eq!(text::read(file.as_bytes()), Ok(yard()), "{file:?}");
        }
        let mut not_utf8 = b"; \xff\xfe\n".to_vec();
        not_utf8.extend(YARD_TEXT.bytes());
        assert_eq!(text::read(&not_utf8), Ok(yard()));
    }

    #[test]
    fn without_rows_are_refused() {
        let sentence = |line| format!("line {line}: no rows; expected at least one row of cells");
        refused(text::read(b""), &sentence(1));
        refused(text::read(b"\n\r\n\n"), &sentence(1));
        refused(text::read(b"; only\n; comments"), &sentence(3));
        refused(text::read(b"; only\n; comments\n\n"), &sentence(3));
    }

    #[test]
    fn unknown_characters_are_named() {
        let refused = |file: &[u8], line, column, found| {
            refused(
                text::read(file),
                &format!(
                    "line {line}, column {column}: \
                     unknown character '{found}'; expected '.' or '#'"
                ),
            );
        };
        refused(b"...\n.x.\n", 2, 2, "x");
        refused(b"; c\n\n..@\n", 3, 3, "@");
        refused(b"...\n; late\n", 2, 1, ";");
        refused(b"...\n.. \n", 2, 3, " ");
        refused(b"..\t\n", 1, 3, "\\t");
        refused(b"..\r.\n", 1, 3, "\\r");
        refused(b"\0..\n", 1, 1, "\\0");
        refused(b".\x1b[2J\n", 1, 2, "\\u{1b}");
        refused(".\u{e4}.\n".as_bytes(), 1, 2, "\u{e4}");
        refused("\u{feff}..\n".as_bytes(), 1, 1, "\\u{feff}");
        refused(b"..\xff\n", 1, 3, "\\xff");
        refused(b"..\xc3", 1, 3, "\\xc3");
    }

    #[test]
    fn rows_of_other_width_are_refused() {
        refused(
            text::read(b"; c\n....\n....\n.....\n"),
            "line 4: row has 5 cells, expected 4 as in the first row",
        );
        refused(
            text::read(b"....\r\n...\r\n"),
            "line 2: row has 3 cells, expected 4 as in the first row",
        );
        refused(
            text::read(b"....\n\n....\n"),
            "line 2: row has 0 cells, expected 4 as in the first row",
        );
    }

    #[test]
    fn sides_beyond_the_largest_map_are_refused() {
        let side = usize::from(Grid::SIDE_MAX);
        assert!(text::read(".".repeat(side).as_bytes()).is_ok());
        refused(
            text::read(format!("; c\n{}", ".".repeat(side + 1)).as_bytes()),
            "line 2: row has 16385 cells; expected 1 to 16384",
        );
        refused(
            text::read(format!("{}?", ".".repeat(side + 1)).as_bytes()),
            "line 1, column 16386: unknown character '?'; expected '.' or '#'",
        );
        assert!(text::read(".\n".repeat(side).as_bytes()).is_ok());
        refused(
            text::read(".\n".repeat(side + 1).as_bytes()),
            "line 16385: too many rows; expected 1 to 16384",
        );
    }
}

mod movingai_files {
    use super::*;

    #[test]
    fn are_read_and_written() {
        assert_eq!(movingai::read(YARD_MOVINGAI.as_bytes()), Ok(yard()));
        assert_eq!(movingai::write(&yard()), YARD_MOVINGAI);
    }

    #[test]
    fn every_letter_has_its_meaning() {
        let file = b"type octile\nheight 1\nwidth 7\nmap\n.GS@OTW\n";
        let expected = Grid::from_fn(7, 1, |cell| cell.x < 3).unwrap();
        assert_eq!(movingai::read(file), Ok(expected));
    }

    #[test]
    fn line_ends_blanks_and_the_order_of_the_sides_do_not_matter() {
        let crlf = YARD_MOVINGAI.replace('\n', "\r\n");
        for file in [
            crlf.as_str(),
            YARD_MOVINGAI.trim_end(),
            crlf.trim_end(),
            &format!("{YARD_MOVINGAI}\n\n"),
            &YARD_MOVINGAI.replace("height 3\nwidth 5", "width 5\nheight 3"),
            &YARD_MOVINGAI.replace("height 3", "height \t 0003 "),
        ] {
            assert_eq!(movingai::read(file.as_bytes()), Ok(yard()), "{file:?}");
        }
    }

    #[test]
    fn header_lines_out_of_place_are_named() {
        let refused = |from, to, sentence| {
            let file = YARD_MOVINGAI.replace(from, to);
            refused(movingai::read(file.as_bytes()), sentence);
        };
        refused(
            "type octile",
            "type tile",
            "line 1: unknown header line 'type tile'; expected 'type octile'",
        );
        refused(
            "type octile",
            "type octile 2",
            "line 1: unknown header line 'type octile 2'; expected 'type octile'",
        );
        refused(
            "type octile\n",
            "",
            "line 1: unknown header line 'height 3'; expected 'type octile'",
        );
        refused(
            "height 3\nwidth 5\n",
            "",
            "line 2: unknown header line 'map'; expected 'height' or 'width' and a number",
        );
        refused(
            "width 5\n",
            "",
            "line 3: unknown header line 'map'; expected 'width' and a number",
        );
        refused(
            "height 3\n",
            "",
            "line 3: unknown header line 'map'; expected 'height' and a number",
        );
        refused(
            "height 3",
            "height",
            "line 2: unknown header line 'height'; expected 'height' or 'width' and a number",
        );
        refused(
            "map\n",
            "",
            "line 4: unknown header line '@@@@@'; expected 'map'",
        );
        refused(
            "map\n",
            "\x07\n",
            "line 4: unknown header line '\\u{7}'; expected 'map'",
        );
        refused("width 5", "height 3", "line 3: height is given twice");
    }

    #[test]
    fn a_long_header_line_is_cut_in_the_sentence() {
        let file = "\u{e4}".repeat(1 << 20);
        refused(
            movingai::read(file.as_bytes()),
            &format!(
                "line 1: unknown header line '{}...'; expected 'type octile'",
                "\u{e4}".repeat(40)
            ),
        );
    }

    #[test]
    fn a_file_that_ends_early_is_told_what_comes_next() {
        for (file, line, expected) in [
            ("", 1, "'type octile'"),
            ("\n\n", 1, "'type octile'"),
            ("type octile\n", 2, "'height' or 'width' and a number"),
            ("type octile\nwidth 5", 3, "'height' and a number"),
            ("type octile\nheight 3\n\n\n", 3, "'width' and a number"),
            ("type octile\nheight 3\nwidth 5", 4, "'map'"),
        ] {
            refused(
                movingai::read(file.as_bytes()),
                &format!("line {line}: the file ends inside the header; expected {expected}"),
            );
        }
    }

    #[test]
    fn absurd_sides_are_refused() {
        let refused = |value: &str, sentence: &str| {
            let file = YARD_MOVINGAI.replace("height 3", &format!("height {value}"));
            refused(movingai::read(file.as_bytes()), sentence);
        };
        for value in ["0", "16385", "99999999", "18446744073709551616"] {
            refused(
                value,
                &format!("line 2: height {value} is out of range; expected 1 to 16384"),
            );
        }
        refused(
            &"9".repeat(100_000),
            &format!(
                "line 2: height {}... is out of range; expected 1 to 16384",
                "9".repeat(40)
            ),
        );
        for value in ["-3", "+3", "3.0", "3e0", "0x3", "three"] {
            refused(
                value,
                &format!("line 2: height '{value}' is not a whole number; expected 1 to 16384"),
            );
        }
        super::refused(
            movingai::read(b"type octile\nheight 3\nwidth -1\nmap\n"),
            "line 3: width '-1' is not a whole number; expected 1 to 16384",
        );
    }

    #[test]
    fn the_header_is_not_believed_before_the_rows_are_seen() {
        refused(
            movingai::read(b"type octile\nheight 16384\nwidth 16384\nmap\n"),
            "line 5: the file ends after 0 rows, expected 16384 as in the header",
        );
    }

    #[test]
    fn too_few_and_too_many_rows_are_refused() {
        refused(
            movingai::read(b"type octile\nheight 3\nwidth 5\nmap\n@@@@@\n@...@\n\n"),
            "line 7: the file ends after 2 rows, expected 3 as in the header",
        );
        refused(
            movingai::read(format!("{YARD_MOVINGAI}\n@@@@@\n").as_bytes()),
            "line 8: text after the last row; expected 3 rows as in the header",
        );
    }

    #[test]
    fn rows_of_other_width_are_refused() {
        let file = YARD_MOVINGAI.replace("@...@", "@....@");
        refused(
            movingai::read(file.as_bytes()),
            "line 6: row has 6 cells, expected 5 as in the header",
        );
        let file = YARD_MOVINGAI.replace("@...@", "");
        refused(
            movingai::read(file.as_bytes()),
            "line 6: row has 0 cells, expected 5 as in the header",
        );
    }

    #[test]
    fn unknown_characters_are_named() {
        let file = YARD_MOVINGAI.replace("@...@", "@.#.@");
        refused(
            movingai::read(file.as_bytes()),
            "line 6, column 3: unknown character '#'; \
             expected '.', 'G', 'S', '@', 'O', 'T' or 'W'",
        );
    }
}

#[test]
fn errors_can_be_told_apart_by_code() {
    let error = text::read(b"...\n..\n").unwrap_err();
    let column = None;
    assert_eq!(error.position, Position::Line { line: 2, column });
    assert_eq!(
        error.problem,
        Problem::RowWidth {
            found: 2,
            expected: 3,
            authority: "first row"
        }
    );
}

#[test]
fn formats_are_chosen_by_extension() {
    assert_eq!(Format::from_extension("txt"), Some(Format::Text));
    assert_eq!(Format::from_extension("MAP"), Some(Format::MovingAi));
    assert_eq!(Format::from_extension(".map"), None);
    assert_eq!(Format::from_extension(""), None);
    for &format in Format::ALL {
        for extension in format.extensions() {
            assert_eq!(Format::from_extension(extension), Some(format));
        }
    }
}

#[test]
fn a_place_in_a_file_without_lines_is_a_byte() {
    let error = ParseError {
        position: Position::Byte(17),
        problem: Problem::NoRows,
    };
    assert_eq!(
        error.to_string(),
        "byte 17: no rows; expected at least one row of cells"
    );
}

mod detection {
    use super::*;

    const BITMAP: &[u8] = b"\nwide = 1\nheight=1\nstartpos=(0,0,0)\naccuracy=1\n{1}\n";

    #[test]
    fn the_extension_decides_where_it_can() {
        let detect = |extension, bytes| Format::detect(Some(extension), bytes);
        assert_eq!(detect("map", BITMAP), Some(Format::MovingAi));
        assert_eq!(detect("BITMAP", b"..."), Some(Format::Bitmap));
        assert_eq!(detect("navmesh", b""), Some(Format::Bitmap));
        assert_eq!(detect("jpeg", BITMAP), None);
        assert_eq!(detect("", BITMAP), None);
    }

    #[test]
    fn a_txt_file_is_a_bitmap_if_it_starts_like_one() {
        let detect = |bytes| Format::detect(Some("txt"), bytes);
        assert_eq!(detect(BITMAP), Some(Format::Bitmap));
        assert_eq!(
            detect(b"\xef\xbb\xbfstartpos=(0, 0, 0)"),
            Some(Format::Bitmap)
        );
        for other in [
            YARD_TEXT,
            "",
            "; wide=3\n...",
            "wide",
            "width=3",
            "=",
            "{1,0,},",
        ] {
            assert_eq!(detect(other.as_bytes()), Some(Format::Text), "{other:?}");
        }
    }

    #[test]
    fn without_extension_the_content_decides() {
        let detect = |bytes| Format::detect(None, bytes);
        assert_eq!(detect(YARD_TEXT.as_bytes()), Some(Format::Text));
        assert_eq!(detect(b"\n; A yard."), Some(Format::Text));
        assert_eq!(detect(YARD_MOVINGAI.as_bytes()), Some(Format::MovingAi));
        assert_eq!(detect(BITMAP), Some(Format::Bitmap));
        assert_eq!(detect(b""), None);
        assert_eq!(detect(b"\x7fELF\r\n\x1a\n"), None);
    }

    #[test]
    fn every_format_knows_its_own_files() {
        for &format in Format::ALL {
            let file = format.write_what_fits(&yard().into(), "A yard.").unwrap();
            assert_eq!(Format::detect(None, &file), Some(format));
            assert!(Format::detect(Some("txt"), &file).is_some());
        }
    }
}

mod writing {
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
}

#[test]
fn bundled_maps_go_through_every_format() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/maps");
    let paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(!paths.is_empty());
    for path in paths {
        let bytes = fs::read(&path).unwrap();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let format = Format::detect(extension, &bytes).unwrap();
        let map = format.read(&bytes).unwrap();
        let mut written_in = 0;
        for &format in Format::ALL {
            if !format.holds().contains(map.features()) {
                continue;
            }
            let file = format.write(&map, "A map.").unwrap();
            let again = format.read(&file).unwrap();
            assert_eq!(again.grid, map.grid, "{path:?} as {format}");
            written_in += 1;
        }
        assert!(written_in > 0, "{path:?}");
    }
}

/// The benchmark files are not part of the project; where they lie beside it, all of them must
/// parse.
#[test]
fn movingai_benchmarks_are_read() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(folder) = crates
        .ancestors()
        .nth(3)
        .map(|above| above.join("shared/benchmarks/movingai"))
        .filter(|folder| folder.is_dir())
    else {
        println!("skipped: no folder shared/benchmarks/movingai beside the workspace");
        return;
    };
    let maps = maps_below(&folder);
    assert!(!maps.is_empty());
    for path in maps {
        let bytes = fs::read(&path).unwrap();
        let grid = movingai::read(&bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let header = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
        for line in [
            format!("height {}", grid.height()),
            format!("width {}", grid.width()),
        ] {
            assert!(header.lines().any(|found| found == line), "{path:?}");
        }
        assert!(grid.walkable_count() > 0, "{path:?}");
        let again = movingai::write(&grid);
        assert_eq!(movingai::read(again.as_bytes()), Ok(grid), "{path:?}");
    }
}

fn maps_below(folder: &Path) -> Vec<PathBuf> {
    let mut maps = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            maps.extend(maps_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "map") {
            maps.push(path);
        }
    }
    maps.sort();
    maps
}
