//! Pictures of Windows: every supported depth, refusals, and files cut short.

use nav_formats::{Format, Position, Warning, bmp};
use nav_grid::{Cell, Grid};
use nav_judge::{check_error, frugally};

/// A picture of 3×2 pixels as an editor writes it: header of 40 bytes, palette, rows.
struct Picture {
    header: u32,
    height: i32,
    bits: u16,
    compression: u32,
    colours: u32,
    between: Vec<u8>,
    rows: Vec<u8>,
}

impl Picture {
    fn new(bits: u16, between: &[u8], rows: &[u8]) -> Self {
        Self {
            header: 40,
            height: 2,
            bits,
            compression: 0,
            colours: 0,
            between: between.to_vec(),
            rows: rows.to_vec(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let start = 14 + 40 + self.between.len() as u32;
        let mut bytes = b"BM".to_vec();
        for word in [start + self.rows.len() as u32, 0, start, self.header, 3] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(self.height.to_le_bytes());
        bytes.extend(1_u16.to_le_bytes());
        bytes.extend(self.bits.to_le_bytes());
        for word in [self.compression, 0, 0, 0, self.colours, 0] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(&self.between);
        bytes.extend(&self.rows);
        bytes
    }
}

/// A wall at 1,0, and cost 2 at 2,1; grey 251 costs 2.
fn yard() -> Grid {
    let mut grid = Grid::from_fn(3, 2, |cell| cell != Cell::new(1, 0)).unwrap();
    grid.set_cost(Cell::new(2, 1), 2).unwrap();
    grid
}

/// Black, white and the grey of cost 2.
const PALETTE: [u8; 12] = [0, 0, 0, 0, 255, 255, 255, 0, 251, 251, 251, 0];

fn grid(picture: &Picture) -> Grid {
    let map = Format::Bmp.read(&picture.bytes()).unwrap();
    assert_eq!(map.warnings, []);
    map.grid
}

#[track_caller]
fn refused(bytes: &[u8], sentence: &str) {
    let error = bmp::read(bytes).unwrap_err();
    check_error(&error, bytes);
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn eight_bits() {
    let mut picture = Picture::new(8, &PALETTE, &[1, 1, 2, 0, 1, 0, 1, 0]);
    picture.colours = 3;
    assert_eq!(grid(&picture), yard());
}

#[test]
fn top_down() {
    let mut picture = Picture::new(8, &PALETTE, &[1, 0, 1, 0, 1, 1, 2, 0]);
    picture.height = -2;
    assert_eq!(grid(&picture), yard());
}

#[test]
fn four_bits() {
    let picture = Picture::new(4, &PALETTE, &[0x11, 0x20, 0, 0, 0x10, 0x10, 0, 0]);
    assert_eq!(grid(&picture), yard());
}

#[test]
fn one_bit() {
    let picture = Picture::new(
        1,
        &PALETTE[..8],
        &[0b1110_0000, 0, 0, 0, 0b1010_0000, 0, 0, 0],
    );
    let expected = Grid::from_fn(3, 2, |cell| cell != Cell::new(1, 0)).unwrap();
    assert_eq!(grid(&picture), expected);
    // Programs also store white first.
    let swapped: Vec<u8> = [&PALETTE[4..8], &PALETTE[..4]].concat();
    let picture = Picture::new(1, &swapped, &[0, 0, 0, 0, 0b0100_0000, 0, 0, 0]);
    assert_eq!(grid(&picture), expected);
}

#[test]
fn true_colour() {
    let rows = [
        255, 255, 255, 255, 255, 255, 251, 251, 251, 0, 0, 0, //
        255, 255, 255, 0, 0, 0, 255, 255, 255, 0, 0, 0,
    ];
    assert_eq!(grid(&Picture::new(24, &[], &rows)), yard());
}

const WIDE: [u32; 6] = [0xff_ffff, 0xff_ffff, 0xfb_fbfb, 0xff_ffff, 0, 0xff_ffff];

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn thirty_two_bits() {
    // Without masks the upper byte does not matter, and many programs leave it 0.
    assert_eq!(grid(&Picture::new(32, &[], &words(&WIDE))), yard());
}

#[test]
fn masks_of_channels() {
    let mut picture = Picture::new(
        32,
        &words(&[0xff00, 0x00ff_0000, 0xff00_0000]),
        &words(&WIDE.map(|word| word << 8)),
    );
    picture.compression = 3;
    assert_eq!(grid(&picture), yard());
    picture.between = words(&[0x3e0, 0x00ff_0000, 0xff00_0000]);
    refused(
        &picture.bytes(),
        "byte 54: the mask 0x000003e0 of a channel; expected one whole byte",
    );
}

#[test]
fn transparent_pixels() {
    let mut rest = words(&[0x00ff_0000, 0xff00, 0xff, 0xff00_0000]);
    // The rest of a header of 108 bytes.
    rest.resize(68, 0);
    let rows = [
        0xffff_ffff,
        0xffff_ffff,
        0xfffb_fbfb,
        0xffff_ffff,
        0x00ff_ffff,
        0xffff_ffff,
    ];
    let mut picture = Picture::new(32, &rest, &words(&rows));
    picture.header = 108;
    picture.compression = 3;
    assert_eq!(grid(&picture), yard());
    // Walls on nothing.
    picture.rows = words(&[0x00ff_ffff, 0xff00_0000, 0xff00_0000, 0, 0, 0]);
    let map = bmp::read(&picture.bytes()).unwrap();
    let (transparent, pixels) = (4, 6);
    let warning = Warning::Transparent {
        transparent,
        pixels,
    };
    assert_eq!(map.warnings, [warning]);
}

#[test]
fn header_of_os2() {
    let mut bytes = b"BM".to_vec();
    bytes.extend(words(&[0, 0, 26 + 6, 12]));
    for short in [3_u16, 2, 1, 1] {
        bytes.extend(short.to_le_bytes());
    }
    bytes.extend([0, 0, 0, 255, 255, 255]);
    bytes.extend([0b1110_0000, 0, 0, 0, 0b1010_0000, 0, 0, 0]);
    let expected = Grid::from_fn(3, 2, |cell| cell != Cell::new(1, 0)).unwrap();
    assert_eq!(bmp::read(&bytes).unwrap().grid, expected);
}

#[test]
fn compressed() {
    for (bits, compression, name) in [
        (8, 1, "run-length encoding"),
        (4, 2, "run-length encoding"),
        (24, 3, "masks of channels with fewer than 32 bits per pixel"),
        (24, 4, "a JPEG inside"),
        (24, 5, "a PNG inside"),
        (24, 99, "compression 99"),
    ] {
        let mut picture = Picture::new(bits, &PALETTE, &[0; 24]);
        picture.compression = compression;
        let sentence = format!("byte 30: {name}; expected an uncompressed picture");
        refused(&picture.bytes(), &sentence);
    }
    refused(
        &Picture::new(16, &[], &[0; 24]).bytes(),
        "byte 28: 16 bits per pixel; expected 1, 4, 8, 24 or 32 bits",
    );
}

#[test]
fn colour_without_palette() {
    let picture = Picture::new(8, &PALETTE, &[1, 1, 2, 0, 1, 9, 1, 0]);
    refused(
        &picture.bytes(),
        "byte 70: pixel 1,0 has colour 9; expected 0 to 2 as in the palette",
    );
}

#[test]
fn cut_short() {
    let whole = Picture::new(8, &PALETTE, &[1, 1, 2, 0, 1, 0, 1, 0]).bytes();
    // The padding of the last row may be missing.
    assert!(bmp::read(&whole[..whole.len() - 1]).is_ok());
    for length in 0..whole.len() - 1 {
        let error = bmp::read(&whole[..length]).unwrap_err();
        check_error(&error, &whole[..length]);
    }
    refused(
        &whole[..70],
        "byte 70: the file ends after 70 bytes; expected 73 for this picture",
    );
}

#[test]
fn sizes_not_believed() {
    for (width, height) in [
        (16_384, 16_384),
        (16_384, -16_384),
        (0, 1),
        (-1, 1),
        (1, 0),
        (i32::MAX, i32::MIN),
    ] {
        let mut bytes = Picture::new(1, &PALETTE[..8], &[0; 8]).bytes();
        bytes[18..22].copy_from_slice(&i32::to_le_bytes(width));
        bytes[22..26].copy_from_slice(&i32::to_le_bytes(height));
        let error = frugally(&bytes, bmp::read).unwrap_err();
        check_error(&error, &bytes);
    }
    let mut bytes = Picture::new(8, &PALETTE, &[0; 8]).bytes();
    bytes[10..14].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(bmp::read(&bytes).is_err());
    bytes[10..14].copy_from_slice(&20_u32.to_le_bytes());
    refused(
        &bytes,
        "byte 10: pixels at byte 20, inside the header; expected an offset behind it",
    );
}

#[test]
fn bytes_behind() {
    let mut bytes = Picture::new(8, &PALETTE, &[1, 1, 2, 0, 1, 0, 1, 0]).bytes();
    bytes.extend([0; 100]);
    let map = bmp::read(&bytes).unwrap();
    // One of the padding, which may be missing.
    assert_eq!(map.warnings, [Warning::Behind { bytes: 101 }]);
}

#[test]
fn written_in_full() {
    let mut grid = Grid::from_fn(70, 3, |cell| cell.x % 5 != 0).unwrap();
    for cost in 1..=64 {
        grid.set_cost(Cell::new(u16::from(cost) + 2, 1), cost)
            .unwrap();
    }
    let bytes = bmp::write(&grid);
    assert_eq!(
        bytes.len() as u32,
        u32::from_le_bytes(bytes[2..6].try_into().unwrap())
    );
    assert_eq!(bmp::read(&bytes).unwrap().grid, grid);
    assert_eq!(Format::detect(None, &bytes), Some(Format::Bmp));
}

#[test]
fn place_of_errors() {
    let error = bmp::read(b"MB").unwrap_err();
    assert_eq!(error.position, Position::Byte(0));
}
