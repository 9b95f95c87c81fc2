//! Written maps read back.

use super::*;

#[test]
fn read_back() {
    for grid in bundled().into_iter().chain([yard(), tower()]) {
        let options = ReadOptions::default();
        let tmx = tiled::write_tmx(&grid, &[]);
        assert!(grid_of_tmx(&tmx, &options) == Ok(grid.clone()));
        let tmj = tiled::write_tmj(&grid, &[]);
        let map = tiled::read_tmj(tmj.as_bytes(), &options);
        assert!(map.map(|map| map.grid) == Ok(grid));
    }
}

#[test]
fn read_by_tiled_crate() {
    let grid = tower();
    let written = tiled::write_tmx(&grid, &[]);
    let mut loader = ::tiled::Loader::with_reader(move |_: &Path| {
        Ok::<_, std::io::Error>(std::io::Cursor::new(written.clone()))
    });
    let map = loader.load_tmx_map("map.tmx").unwrap();
    assert_eq!((map.width, map.height), (6, 5));
    let layers: Vec<_> = map.layers().map(|layer| layer.name.clone()).collect();
    assert_eq!(
        layers[..5],
        ["walkable", "cost", "exits", "terrain", "sight"]
    );
    assert_eq!(layers.len(), 5 * 3 + 2);
    let tileset = &map.tilesets()[0];
    assert_eq!(
        tileset.image.as_ref().unwrap().source,
        Path::new(tiled::PICTURE_NAME)
    );
    assert_eq!(tileset.tilecount, 256);
}

#[cfg(feature = "png")]
#[test]
fn picture_of_tiles() {
    let map = nav_formats::png::read(tiled::PICTURE).unwrap();
    assert_eq!(map.warnings, []);
    let (first, costly) = (Cell::new(0, 0), Cell::new(0, 4 * 16));
    assert_eq!(map.grid.size(), Size::new(256, 256));
    assert!(
        map.grid.cost(first) < map.grid.cost(costly),
        "a higher cost is darker"
    );
}
