//! The words of refusals.

use super::*;

#[test]
fn no_map() {
    let read = |text: &str| grid_of_tmx(text.as_bytes(), &Options::default());
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
        "line 3, column 1: the XML cannot be read: ill-formed document: expected `</layer>`, but \
         `</map>` was found",
    );
    refused(
        read("\n<map version=\"1.10\" orientation=\"cubic\"/>"),
        "line 2, column 1: the XML cannot be read: there is no width",
    );
}

#[test]
fn no_grid() {
    let walls = layer("walls", &csv(CSV));
    let change = |from: &str, to: &str| {
        let map = tmx(&walls).replacen(from, to, 1);
        grid_of_tmx(map.as_bytes(), &Options::default())
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
fn otherwise_stored_layers() {
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
fn wrong_number_of_tiles() {
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
fn tiles_no_numbers() {
    refused(
        read(&layer("walls", &csv("0,0,0,0, 0,0,0,x&#10;, 0,0,0,0"))),
        "line 3, column 2: layer 'walls', cell 3,1: 'x' is no tile; expected a whole \
         number",
    );
    refused(
        read(&layer("walls", "<data encoding=\"base64\">A!</data>")),
        "line 3, column 2: layer 'walls' is no valid Base64: Invalid symbol 33, offset 1.",
    );
}

#[test]
fn nested_too_deep() {
    refused(
        read(&"<group>".repeat(100_000)),
        "line 3, column 218: elements nest deeper than 32; expected fewer groups within groups",
    );
}

#[test]
fn too_many_elements() {
    let objects = "<object/>".repeat(60_000);
    refused(
        read(&format!("<objectgroup>{objects}</objectgroup>")),
        "line 3, column 449996: more than 50000 objects, tiles and values of properties; \
         expected fewer",
    );
}
