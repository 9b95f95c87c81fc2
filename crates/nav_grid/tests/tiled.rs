//! Maps of the Tiled editor: what is read, what is refused and in which words.

use nav_grid::{
    Cell, Directions, Grid, Link, Size,
    formats::{
        text,
        tiled::{self, Options, TiledError},
    },
};
use std::{fmt::Write as _, fs, path::Path};

/// A yard of 4×3 cells: walls at 1,0 and 2,1.
fn yard() -> Grid {
    Grid::from_fn(4, 3, |cell| {
        ![Cell::new(1, 0), Cell::new(2, 1)].contains(&cell)
    })
    .unwrap()
}

const CSV: &str = "\n0,9,0,0,\n0,0,9,0,\n0,0,0,0\n";

/// A map as Tiled writes it, with `content` between its tags.
fn tmx(content: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.11.2" orientation="orthogonal" renderorder="right-down" width="4" height="3" tilewidth="16" tileheight="32" infinite="0" nextlayerid="4" nextobjectid="3">
{content}
</map>
"#
    )
}

fn layer(name: &str, data: &str) -> String {
    layer_with(name, "", data)
}

fn layer_with(name: &str, properties: &str, data: &str) -> String {
    format!(
        r#" <layer id="1" name="{name}" width="4" height="3">
{properties}  {data}
 </layer>"#
    )
}

fn csv(tiles: &str) -> String {
    format!("<data encoding=\"csv\">{tiles}</data>")
}

fn floor(number: &str) -> String {
    format!(
        "  <properties>\n   <property name=\"floor\" type=\"int\" value=\"{number}\"/>\n  </properties>\n"
    )
}

fn link(shape: &str, properties: &[(&str, &str, &str)]) -> String {
    let mut object = String::from(
        "  <object id=\"7\" name=\"a way\" type=\"link\" x=\"24\" y=\"80\">\n   <properties>\n",
    );
    for (name, kind, value) in properties {
        writeln!(
            object,
            "    <property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>"
        )
        .unwrap();
    }
    format!("{object}   </properties>\n   {shape}\n  </object>\n")
}

fn links(objects: &str) -> String {
    let walls = layer("walls", &csv(CSV));
    format!("{walls}\n <objectgroup id=\"2\" name=\"ways\">\n{objects} </objectgroup>")
}

fn read(content: &str) -> Result<Grid, TiledError> {
    tiled::read_tmx(tmx(content).as_bytes(), &Options::default())
}

#[track_caller]
fn refused(result: Result<Grid, TiledError>, sentence: &str) {
    assert_eq!(result.unwrap_err().to_string(), sentence);
}

fn bundled() -> Vec<Grid> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/maps");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let grids = files
        .iter()
        .map(|file| text::read(&fs::read(file).unwrap()));
    grids.collect::<Result<_, _>>().unwrap()
}

/// Three floors with everything a grid can have.
fn tower() -> Grid {
    let size = Size::new(6, 5).with_floors(3);
    let mut grid =
        Grid::build(size, |cell| (cell.x + cell.y) % 5 != u16::from(cell.floor)).unwrap();
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    grid.set_cost(cells[1], 2).unwrap();
    grid.set_cost(cells[30], 64).unwrap();
    grid.set_exits(cells[4], Directions::NONE).unwrap();
    grid.set_exits(cells[40], Directions::STRAIGHT).unwrap();
    for (from, to, cost) in [(3, 60, 1), (60, 3, 65535), (5, 6, 7)] {
        let (from, to) = (cells[from], cells[to]);
        grid.set_link(Link { from, to, cost }).unwrap();
    }
    grid
}

mod layers {
    use super::*;

    #[test]
    fn of_walls_block_the_cells_with_a_tile() {
        for name in ["walls", "blocked", "Walls"] {
            assert_eq!(read(&layer(name, &csv(CSV))), Ok(yard()));
        }
    }

    #[test]
    fn of_ground_block_the_cells_without_a_tile() {
        let ground = csv("1,0,1,1, 2,3,0,1, 1,1,1,1");
        assert_eq!(read(&layer("walkable", &ground)), Ok(yard()));
    }

    #[test]
    fn may_say_what_they_mean_with_a_property() {
        let property =
            "<properties><property name=\"walkable\" type=\"bool\" value=\"false\"/></properties>";
        let map = layer_with("fences", property, &csv(CSV));
        assert_eq!(read(&map), Ok(yard()));
    }

    #[test]
    fn have_the_names_that_the_options_give() {
        let mut options = Options::default();
        options.blocked = vec!["Mauern".to_owned()];
        let map = tmx(&layer("Mauern", &csv(CSV)));
        assert_eq!(tiled::read_tmx(map.as_bytes(), &options), Ok(yard()));
    }

    #[test]
    fn of_one_kind_add_up() {
        let one = layer("walls", &csv("0,9,0,0, 0,0,0,0, 0,0,0,0"));
        let two = layer("blocked", &csv("0,0,0,0, 0,0,9,0, 0,0,0,0"));
        assert_eq!(read(&format!("{one}{two}")), Ok(yard()));
    }

    #[test]
    fn with_other_names_are_decoration() {
        let trees = layer("trees", &csv("1,1,1,1, 1,1,1,1, 1,1,1,1"));
        let sky = r#"<imagelayer id="9" name="sky"><image source="sky.png"/></imagelayer>"#;
        let walls = layer("walls", &csv(CSV));
        assert_eq!(read(&format!("{sky}{trees}{walls}")), Ok(yard()));
    }

    #[test]
    fn may_have_mirrored_and_turned_tiles() {
        let tiles = csv("0,2147483657,0,0, 0,0,3758096393,0, 0,0,0,0");
        assert_eq!(read(&layer("walls", &tiles)), Ok(yard()));
    }

    #[test]
    fn may_be_base64() {
        let text = "AAAAAAkAAAAAAAAAAAAAAAAAAAAAAAAACQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let data = format!("<data encoding=\"base64\">\n   {text}\n  </data>");
        assert_eq!(read(&layer("walls", &data)), Ok(yard()));
    }

    #[test]
    fn may_be_packed_with_zlib_or_gzip() {
        for (compression, text) in [("zlib", ZLIB), ("gzip", GZIP)] {
            let data = format!(
                "<data encoding=\"base64\" compression=\"{compression}\">\n   {text}\n  </data>"
            );
            assert_eq!(read(&layer("walls", &data)), Ok(yard()), "{compression}");
        }
    }

    const ZLIB: &str = "eJxjYGBg4GTABNjEQAAAApQAEw==";
    const GZIP: &str = "H4sIAAAAAAACA2NgYGDgZMAE2MRAAAA/F7gBMAAAAA==";
}

mod costs {
    use super::*;

    const TILES: &str = "0,1,2,3, 0,0,0,0, 0,0,0,65";

    fn expected() -> Grid {
        let mut grid = Grid::from_fn(4, 3, |cell| cell != Cell::new(1, 0)).unwrap();
        for (cell, cost) in [((3, 0), 2), ((3, 2), 64)] {
            grid.set_cost(Cell::from(cell), cost).unwrap();
        }
        grid
    }

    #[test]
    fn are_the_numbers_of_tiles_that_have_no_property() {
        assert_eq!(read(&layer("cost", &csv(TILES))), Ok(expected()));
        let external = r#" <tileset firstgid="1" source="../tiles/ground.tsx"/>"#;
        let map = format!("{external}\n{}", layer("cost", &csv(TILES)));
        assert_eq!(read(&map), Ok(expected()));
    }

    const TILESET: &str = r#"name="ground" tilewidth="16" tileheight="32" tilecount="200" columns="10">
  <image source="ground.png" width="160" height="640"/>
  <tile id="10"><properties><property name="cost" type="int" value="0"/></properties></tile>
  <tile id="11" type="sand">
   <properties>
    <property name="cost" type="int" value="2"/>
    <property name="sound" value="crunch"/>
   </properties>
  </tile>
  <tile id="12"><properties><property name="cost" type="int" value="64"/></properties></tile>
  <wangsets><wangset name="Unnamed" type="mixed" tile="-1"/></wangsets>
 </tileset>"#;
    const GROUND: &str = "0,11,0,12, 0,0,0,0, 0,0,0,13";

    #[test]
    fn are_properties_of_tiles() {
        let map = format!(
            " <tileset firstgid=\"1\" {TILESET}\n{}",
            layer("cost", &csv(GROUND))
        );
        assert_eq!(read(&map), Ok(expected()));
    }

    #[test]
    fn are_properties_of_tiles_in_external_tilesets_that_are_given() {
        let tsx = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tileset version=\"1.10\" {TILESET}"
        );
        let tsj = r#"{ "type":"tileset", "name":"ground", "tilecount":200, "tiles":[
            {"id":10, "properties":[{"name":"cost", "type":"int", "value":0}]},
            {"id":11, "properties":[{"name":"cost", "type":"int", "value":2},
                                    {"name":"sound", "type":"string", "value":"crunch"}]},
            {"id":12, "properties":[{"name":"cost", "type":"int", "value":64}]}]}"#;
        for tileset in [tsx.as_str(), tsj] {
            let options = Options::default().with_tileset("ground.tsx", tileset);
            let map = tmx(&format!(
                " <tileset firstgid=\"1\" source=\"ground.tsx\"/>\n{}",
                layer("cost", &csv(GROUND))
            ));
            assert_eq!(tiled::read_tmx(map.as_bytes(), &options), Ok(expected()));
        }
    }

    #[test]
    fn out_of_range_are_refused() {
        let tiles = csv("0,0,0,0, 0,66,0,0, 0,0,0,0");
        refused(
            read(&layer("cost", &tiles)),
            "line 3, column 2: layer 'cost', cell 1,1: cost 65 is out of range; expected 0 to 64",
        );
    }

    #[test]
    fn of_some_tiles_only_are_refused() {
        let map = format!(
            " <tileset firstgid=\"1\" {TILESET}\n{}",
            layer("cost", &csv("0,0,0,0, 0,0,99,0, 0,0,0,0"))
        );
        refused(
            read(&map),
            "line 15, column 2: layer 'cost', cell 2,1: tile 98 of tileset 'ground' has no int \
             property 'cost', as others of the tileset have",
        );
    }

    #[test]
    fn of_tiles_without_a_tileset_are_refused() {
        let external = r#" <tileset firstgid="50" source="ground.tsx"/>"#;
        let map = format!("{external}\n{}", layer("cost", &csv(TILES)));
        refused(
            read(&map),
            "line 4, column 2: layer 'cost', cell 1,0: tile 1 belongs to no tileset",
        );
    }
}

mod floors {
    use super::*;

    fn two() -> Grid {
        let size = Size::new(4, 3).with_floors(2);
        let yard = yard();
        Grid::build(size, |cell| cell.floor == 1 || yard.is_walkable(cell)).unwrap()
    }

    #[test]
    fn are_properties_of_layers() {
        let ground = layer("walls", &csv(CSV));
        let upper = layer_with("walls", &floor("1"), &csv("0,0,0,0, 0,0,0,0, 0,0,0,0"));
        assert_eq!(read(&format!("{ground}\n{upper}")), Ok(two()));
    }

    #[test]
    fn are_properties_of_groups() {
        let ground = layer("walls", &csv(CSV));
        let upper = layer("walkable", &csv("1,1,1,1, 1,1,1,1, 1,1,1,1"));
        let group = format!(
            "<group id=\"5\" name=\"upstairs\">\n{}<group id=\"6\">\n{upper}\n</group></group>",
            floor("1")
        );
        assert_eq!(read(&format!("{ground}\n{group}")), Ok(two()));
    }

    #[test]
    fn without_a_layer_are_refused() {
        refused(
            read(&layer_with("walls", &floor("2"), &csv(CSV))),
            "line 2, column 1: floor 0 has no layer of tiles; expected one named walkable, \
             blocked, walls, cost",
        );
        refused(
            read(&layer("trees", &csv(CSV))),
            "line 2, column 1: floor 0 has no layer of tiles; expected one named walkable, \
             blocked, walls, cost",
        );
    }

    #[test]
    fn out_of_range_are_refused() {
        refused(
            read(&layer_with("walls", &floor("-1"), &csv(CSV))),
            "line 3, column 2: layer 'walls': property 'floor' is -1; expected 0 to 254",
        );
    }
}

mod links_of_maps {
    use super::*;

    const TO: [(&str, &str, &str); 2] = [("to_x", "int", "3"), ("to_y", "int", "0")];
    const FROM: Cell = Cell::new(1, 2);

    fn expected(cost: u16) -> Link {
        let to = Cell::new(3, 0);
        Link {
            from: FROM,
            to,
            cost,
        }
    }

    #[test]
    fn lead_to_a_cell() {
        for shape in ["<point/>", ""] {
            let grid = read(&links(&link(shape, &TO))).unwrap();
            assert_eq!(grid.links(), [expected(1)]);
        }
    }

    #[test]
    fn lead_to_an_object() {
        let end = "<object id=\"8\" name=\"end\" x=\"48\" y=\"0\" width=\"16\" height=\"32\"/>";
        let start = link("<point/>", &[("to", "object", "8")]);
        let grid = read(&links(&format!("{start}{end}"))).unwrap();
        assert_eq!(grid.links(), [expected(1)]);
    }

    #[test]
    fn may_cost_more_and_lead_both_ways() {
        let more = [("cost", "int", "12"), ("two_way", "bool", "true")];
        let properties = [TO.as_slice(), &more].concat();
        let grid = read(&links(&link("<point/>", &properties))).unwrap();
        let Link { from, to, cost } = expected(12);
        let back = Link {
            from: to,
            to: from,
            cost,
        };
        assert_eq!(grid.links(), [back, expected(12)]);
    }

    #[test]
    fn of_other_shapes_are_refused() {
        for shape in ["<ellipse/>", "<polygon points=\"0,0 1,1 2,0\"/>"] {
            refused(
                read(&links(&link(shape, &TO))),
                "line 11, column 3: object 7: a link that is neither point nor rectangle",
            );
        }
    }

    #[test]
    fn that_leave_the_map_are_refused() {
        let outside = [("to_x", "int", "4"), ("to_y", "int", "0")];
        refused(
            read(&links(&link("<point/>", &outside))),
            "line 11, column 3: object 7: the link's end lies outside the map",
        );
        let start = link("<point/>", &TO).replace("x=\"24\"", "x=\"-1\"");
        refused(
            read(&links(&start)),
            "line 11, column 3: object 7: the link's start lies outside the map",
        );
    }

    #[test]
    fn without_an_end_are_refused() {
        refused(
            read(&links(&link("<point/>", &[]))),
            "line 11, column 3: object 7: property 'to_x' is missing; expected a whole number",
        );
        refused(
            read(&links(&link("<point/>", &[("to", "object", "9")]))),
            "line 11, column 3: object 7: property 'to' is 9; expected an object of the map",
        );
    }

    #[test]
    fn that_cost_nothing_are_refused() {
        let properties = [TO.as_slice(), &[("cost", "int", "0")]].concat();
        refused(
            read(&links(&link("<point/>", &properties))),
            "line 11, column 3: object 7: property 'cost' is 0; expected 1 to 65535",
        );
    }
}

mod json {
    use super::*;

    fn tmj(layers: &str) -> String {
        format!(
            r#"{{ "compressionlevel":-1, "height":3, "infinite":false,
 "layers":[{layers}],
 "nextlayerid":3, "nextobjectid":2, "orientation":"orthogonal", "renderorder":"right-down",
 "tiledversion":"1.11.2", "tileheight":32,
 "tilesets":[{{ "firstgid":1, "source":"ground.tsj" }}],
 "tilewidth":16, "type":"map", "version":"1.10", "width":4
}}"#
        )
    }

    fn read(layers: &str) -> Result<Grid, TiledError> {
        tiled::read_tmj(tmj(layers).as_bytes(), &Options::default())
    }

    fn layer(data: &str) -> String {
        format!(
            r#"{{ {data}, "height":3, "id":1, "name":"walls", "opacity":1,
            "type":"tilelayer", "visible":true, "width":4, "x":0, "y":0 }}"#
        )
    }

    const DATA: &str = r#""data":[0, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0]"#;

    #[test]
    fn holds_tiles_as_numbers() {
        assert_eq!(read(&layer(DATA)), Ok(yard()));
    }

    #[test]
    fn holds_tiles_as_base64() {
        let text = "AAAAAAkAAAAAAAAAAAAAAAAAAAAAAAAACQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let data = format!(r#""data":"{text}", "encoding":"base64", "compression":"""#);
        assert_eq!(read(&layer(&data)), Ok(yard()));
    }

    #[test]
    fn holds_groups_and_links() {
        let upper = format!(
            r#"{{ "type":"group", "name":"upstairs", "id":4, "opacity":1, "visible":true,
            "properties":[{{ "name":"floor", "type":"int", "value":1 }}],
            "layers":[{}, {{ "type":"objectgroup", "name":"ways", "id":5, "objects":[
               {{ "id":1, "name":"", "type":"link", "point":true, "x":8.5, "y":16, "height":0,
                 "width":0, "rotation":0, "visible":true, "properties":[
                 {{ "name":"to_x", "type":"int", "value":3 }},
                 {{ "name":"to_y", "type":"int", "value":1 }},
                 {{ "name":"to_floor", "type":"int", "value":0 }},
                 {{ "name":"note", "type":"class", "value":{{ "a":[1] }} }}] }}] }}] }}"#,
            layer(DATA)
        );
        let grid = read(&format!("{}, {upper}", layer(DATA))).unwrap();
        assert_eq!(grid.floors(), 2);
        assert!(!grid.is_walkable(Cell::new(2, 1).on_floor(1)));
        let link = Link {
            from: Cell::new(0, 0).on_floor(1),
            to: Cell::new(3, 1),
            cost: 1,
        };
        assert_eq!(grid.links(), [link]);
    }

    #[test]
    fn that_is_broken_is_refused_with_its_place() {
        refused(
            tiled::read_tmj(
                b"{ \"type\": \"map\",\n \"width\": x }",
                &Options::default(),
            ),
            "line 2, column 11: the JSON cannot be read: expected value",
        );
        refused(
            tiled::read_tmj(b"{}", &Options::default()),
            "line 1, column 2: the JSON cannot be read: missing field `type`",
        );
    }

    #[test]
    fn with_too_few_tiles_is_refused() {
        refused(
            read(&layer(r#""data":[0, 9]"#)),
            "layer 'walls' has 2 tiles, expected 12",
        );
    }
}

mod refusals {
    use super::*;

    #[test]
    fn of_files_that_are_no_map() {
        let read = |text: &str| tiled::read_tmx(text.as_bytes(), &Options::default());
        refused(
            read(""),
            "line 1, column 1: the XML cannot be read: the file ends before its root element does",
        );
        refused(
            read("<?xml version=\"1.0\"?>\n<html></html>"),
            "line 2, column 1: 'html' on top; expected 'map'",
        );
        refused(
            read("<!DOCTYPE map [<!ENTITY a \"b\">]>\n<map/>"),
            "line 1, column 1: document type declaration; expected none, as Tiled writes none",
        );
        refused(
            read("<map>\n <layer name=\"x\" width=\"1\" height=\"y\"/>\n</map>"),
            "line 2, column 2: the XML cannot be read: attribute height is 'y', no whole number",
        );
        refused(
            read("<map>\n <layer name=\"x\" width=\"1\" height=\"1\">\n</map>"),
            "line 3, column 3: the XML cannot be read: Expecting </layer> found </map>",
        );
        refused(
            read("\n<map version=\"1.10\" orientation=\"cubic\"/>"),
            "line 2, column 1: the XML cannot be read: Error parsing attribute 'orientation'",
        );
    }

    #[test]
    fn of_maps_that_are_no_grid() {
        let walls = layer("walls", &csv(CSV));
        let change = |from: &str, to: &str| {
            let map = tmx(&walls).replacen(from, to, 1);
            tiled::read_tmx(map.as_bytes(), &Options::default())
        };
        refused(
            change("infinite=\"0\"", "infinite=\"1\""),
            "line 2, column 1: the map is infinite; expected one of fixed size (a check box in \
             Map Properties)",
        );
        refused(
            change("orthogonal", "hexagonal"),
            "line 2, column 1: orientation 'hexagonal'; expected 'orthogonal'",
        );
        refused(
            change("width=\"4\"", "width=\"99999\""),
            "line 2, column 1: width 99999 is out of range; expected 1 to 16384",
        );
        refused(
            change("width=\"4\"", "width=\"5\""),
            "line 2, column 1: layer 'walls' is 4x3, expected the map's 5x3",
        );
        refused(
            change("tilewidth=\"16\"", "tilewidth=\"0\""),
            "line 2, column 1: tiles of 0x32 pixels; expected at least 1x1",
        );
    }

    #[test]
    fn of_layers_that_are_stored_in_other_ways() {
        let zstd = "<data encoding=\"base64\" compression=\"zstd\">AAAA</data>";
        refused(
            read(&layer("walls", zstd)),
            "line 3, column 2: layer 'walls' is stored as base64 with zstd; expected CSV or \
             Base64, the latter uncompressed or with zlib or gzip",
        );
        refused(
            read(&layer("walls", "<data><tile gid=\"1\"/></data>")),
            "line 3, column 2: layer 'walls' is stored as XML elements; expected CSV or Base64, \
             the latter uncompressed or with zlib or gzip",
        );
    }

    #[test]
    fn of_layers_with_the_wrong_number_of_tiles() {
        refused(
            read(&layer("walls", &csv("1,2,3"))),
            "line 3, column 2: layer 'walls' has 3 tiles, expected 12",
        );
        refused(
            read(&layer("walls", &csv(""))),
            "line 3, column 2: layer 'walls' has 0 tiles, expected 12",
        );
    }

    #[test]
    fn of_tiles_that_are_no_numbers() {
        refused(
            read(&layer("walls", &csv("0,0,0,0, 0,0,0,x&#10;, 0,0,0,0"))),
            "line 3, column 2: layer 'walls', cell 3,1: 'x&#10;' is no tile; expected a whole \
             number",
        );
        refused(
            read(&layer("walls", "<data encoding=\"base64\">A!</data>")),
            "line 3, column 2: layer 'walls' is no valid Base64: Invalid symbol 33, offset 1.",
        );
    }

    #[test]
    fn of_what_nests_too_deep() {
        refused(
            read(&"<group>".repeat(100_000)),
            "line 3, column 218: elements nest deeper than 32; expected fewer groups within groups",
        );
    }

    #[test]
    fn of_too_many_elements() {
        let objects = "<object/>".repeat(60_000);
        refused(
            read(&format!("<objectgroup>{objects}</objectgroup>")),
            "line 3, column 449996: more than 50000 elements; expected fewer objects and tiles \
             with properties",
        );
    }
}

mod written_maps {
    use super::*;

    #[test]
    fn read_back_as_they_were() {
        for grid in bundled().into_iter().chain([yard(), tower()]) {
            let options = Options::default();
            let tmx = tiled::write_tmx(&grid);
            assert!(tiled::read_tmx(tmx.as_bytes(), &options) == Ok(grid.clone()));
            let tmj = tiled::write_tmj(&grid);
            assert!(tiled::read_tmj(tmj.as_bytes(), &options) == Ok(grid));
        }
    }

    #[test]
    fn are_maps_to_the_tiled_crate_as_well() {
        let grid = tower();
        let written = tiled::write_tmx(&grid);
        let mut loader = ::tiled::Loader::with_reader(move |_: &Path| {
            Ok::<_, std::io::Error>(std::io::Cursor::new(written.clone()))
        });
        let map = loader.load_tmx_map("map.tmx").unwrap();
        assert_eq!((map.width, map.height), (6, 5));
        let layers: Vec<_> = map.layers().map(|layer| layer.name.clone()).collect();
        assert_eq!(layers[..3], ["walkable", "cost", "exits"]);
        assert_eq!(layers.len(), 3 * 3 + 2);
        let tileset = &map.tilesets()[0];
        assert_eq!(
            tileset.image.as_ref().unwrap().source,
            Path::new(tiled::PICTURE_NAME)
        );
        assert_eq!(tileset.tilecount, 256);
    }

    #[test]
    fn have_a_picture_of_their_tiles() {
        let png = tiled::picture();
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
        assert!(png.ends_with(b"IEND\xae\x42\x60\x82"));
    }
}
