//! Data of PNG maps that is left out, and pictures of layers.

use nav_formats::{CellLayer, Format, Warning, png};
use nav_grid::{Cell, Grid};
use nav_judge::{check_error, check_warning};

fn yard() -> Grid {
    Grid::from_fn(5, 4, |cell| cell.x != cell.y).unwrap()
}

/// Makes a chunk with its length and checksum.
fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let body = [kind.as_slice(), content].concat();
    let length = (content.len() as u32).to_be_bytes();
    let checksum = crc32fast::hash(&body).to_be_bytes();
    [&length, body.as_slice(), &checksum].concat()
}

/// Makes a map with chunks behind its header.
fn with(chunks: &[Vec<u8>]) -> Vec<u8> {
    // Signature and the chunk of 13 bytes.
    const HEADER: usize = 8 + 25;
    let mut bytes = png::write(&yard()).unwrap();
    bytes.splice(HEADER..HEADER, chunks.concat());
    bytes
}

fn warnings(bytes: &[u8]) -> Vec<Warning> {
    let map = Format::Png.read(bytes).unwrap();
    assert_eq!(map.grid, yard());
    map.warnings.iter().for_each(check_warning);
    map.warnings
}

#[test]
fn usual_chunks() {
    assert_eq!(warnings(&with(&[])), []);
    let text = chunk(b"tEXt", b"Comment\0a yard");
    let gamma = chunk(b"gAMA", &45_455_u32.to_be_bytes());
    assert_eq!(warnings(&with(&[gamma, text])), []);
}

#[test]
fn unknown_chunks() {
    let chunks = [chunk(b"miNE", b"abc"), chunk(b"yoUR", b"")];
    let warnings = warnings(&with(&chunks));
    assert_eq!(
        warnings[0].to_string(),
        "unknown chunks of the picture were left out: 'miNE' and 'yoUR'"
    );
}

#[test]
fn animations() {
    let control = [2_u32.to_be_bytes(), 0_u32.to_be_bytes()].concat();
    assert_eq!(
        warnings(&with(&[chunk(b"acTL", &control)])),
        [Warning::Animation]
    );
}

#[test]
fn bytes_behind() {
    let mut bytes = with(&[]);
    bytes.extend(b"more");
    assert_eq!(warnings(&bytes), [Warning::Behind { bytes: 4 }]);
}

/// Makes the yard with a layer in which every number occurs.
fn numbered(layer: CellLayer) -> Grid {
    let mut grid = yard();
    let cells = grid.size().cells() as u8;
    let number = |cell: u8| match layer {
        CellLayer::Exits => cell * 13,
        layer => cell % (layer.max() + 1),
    };
    let numbers = (0..cells).map(number).collect();
    layer.set(&mut grid, numbers).unwrap();
    grid
}

#[test]
fn layers_read_back() {
    for layer in CellLayer::ALL {
        let grid = numbered(layer);
        assert!(layer.is_in(&grid));
        let picture = png::write_layer(&grid, layer).unwrap();
        let mut again = yard();
        png::read_layer(&picture, layer, &mut again).unwrap();
        assert_eq!(again, grid, "{layer:?}");
        let nothing = png::write_layer(&yard(), layer).unwrap();
        png::read_layer(&nothing, layer, &mut again).unwrap();
        assert!(!layer.is_in(&again), "{layer:?}");
        assert_eq!(again, yard());
    }
}

/// Makes a picture of 3×1 pixels of red, green, blue and opacity.
fn painted(pixels: [[u8; 4]; 3]) -> Vec<u8> {
    let mut header = [3_u32, 1].map(u32::to_be_bytes).concat();
    // Eight bits of four channels, no interlacing.
    header.extend([8, 6, 0, 0, 0]);
    // No filter, in a stream of zlib with one stored block.
    let row = [&[0], pixels.as_flattened()].concat();
    let length = row.len() as u16;
    let sums = row.iter().fold((1_u32, 0_u32), |(a, b), &byte| {
        (a + u32::from(byte), b + a + u32::from(byte))
    });
    let mut packed = vec![0x78, 0x01, 1];
    packed.extend(length.to_le_bytes());
    packed.extend((!length).to_le_bytes());
    packed.extend(row);
    packed.extend((sums.1 << 16 | sums.0).to_be_bytes());
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"IDAT", &packed),
        chunk(b"IEND", b""),
    ]
    .concat()
}

#[test]
fn walls_on_nothing() {
    let (wall, nothing, ground) = ([0, 0, 0, 255], [255, 255, 255, 0], [255; 4]);
    let said = |pixels| -> Vec<String> {
        let map = Format::Png.read(&painted(pixels)).unwrap();
        map.warnings.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        said([nothing, wall, nothing]),
        [
            "no cell is ground: 2 of 3 pixels are fully transparent, which means wall, and the others \
             are black; put the drawing on a white background, which is ground, and save it without \
             transparency"
        ]
    );
    assert_eq!(said([nothing, wall, ground]), [""; 0]);
    assert_eq!(said([wall; 3]), [""; 0], "black all over is meant");
}

/// Returns the numbers of a painted layer.
fn numbers(layer: CellLayer, pixels: [[u8; 4]; 3]) -> Result<[u8; 3], String> {
    let mut grid = Grid::open(3, 1).unwrap();
    let picture = painted(pixels);
    match png::read_layer(&picture, layer, &mut grid) {
        Ok(()) => Ok([0, 1, 2].map(|x| layer.number(&grid, Cell::new(x, 0)))),
        Err(error) => {
            check_error(&error, &picture);
            assert_eq!(grid, Grid::open(3, 1).unwrap());
            let sentence = error.to_string();
            Err(sentence.split_once(": ").unwrap().1.to_owned())
        }
    }
}

#[test]
fn colours_of_layers() {
    let [clear, navy] = [[9, 9, 9, 0], [0, 0, 0x80, 255]];
    let [white, grey, black] = [255, 0x80, 0].map(|grey| [grey, grey, grey, 255]);
    let read = |layer, pixels| numbers(layer, pixels).unwrap();
    assert_eq!(read(CellLayer::Classes, [clear, navy, white]), [0, 4, 15]);
    assert_eq!(read(CellLayer::Sight, [clear, white, black]), [0, 1, 2]);
    assert_eq!(read(CellLayer::Sight, [grey, white, black]), [0, 1, 2]);
    assert_eq!(read(CellLayer::Exits, [clear, grey, black]), [255, 128, 0]);
}

#[test]
fn colours_without_meaning() {
    let refused = |layer, pixel| numbers(layer, [[0; 4], pixel, pixel]).unwrap_err();
    assert_eq!(
        refused(CellLayer::Classes, [255, 128, 0, 255]),
        "pixel 1,0 of the classes is #ff8000; expected one of the 16 colours of HTML 4, such as \
         #0000ff for class 12"
    );
    assert_eq!(
        refused(CellLayer::Sight, [1, 1, 1, 255]),
        "pixel 1,0 of the sight is #010101; expected white (clear), black (blocked) or #808080 \
         (as the ground)"
    );
    assert_eq!(
        refused(CellLayer::Exits, [1, 1, 1, 254]),
        "pixel 1,0 of the exits is half transparent; expected a set of directions as a grey"
    );
}

#[test]
fn layers_of_another_size() {
    for layer in CellLayer::ALL {
        let mut grid = Grid::open(4, 4).unwrap();
        let picture = png::write_layer(&yard(), layer).unwrap();
        let error = png::read_layer(&picture, layer, &mut grid).unwrap_err();
        check_error(&error, &picture);
        let sentence = error.to_string();
        let end = format!(
            "a picture of {} of 5x4 pixels; expected 4x4 as the map has cells",
            layer.name()
        );
        assert!(sentence.ends_with(&end), "{sentence}");
    }
}

#[test]
fn damaged_layers() {
    for layer in CellLayer::ALL {
        let picture = png::write_layer(&numbered(layer), layer).unwrap();
        for length in 0..picture.len() - 12 {
            let mut grid = yard();
            let cut = &picture[..length];
            check_error(&png::read_layer(cut, layer, &mut grid).unwrap_err(), cut);
            assert_eq!(grid, yard());
        }
    }
}
