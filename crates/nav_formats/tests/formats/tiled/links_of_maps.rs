//! Links as objects.

use super::*;
use nav_grid::rules::LinkKind;

const TO: [(&str, &str, &str); 2] = [("to_x", "int", "3"), ("to_y", "int", "0")];
const FROM: Cell = Cell::new(1, 2);

fn expected(cost: u16) -> Link {
    let to = Cell::new(3, 0);
    Link::new(FROM, to).with_cost(cost)
}

#[test]
fn to_cell() {
    for shape in ["<point/>", ""] {
        let grid = read(&links(&link(shape, &TO))).unwrap();
        assert_eq!(grid.links(), [expected(1)]);
    }
}

#[test]
fn to_object() {
    let end = "<object id=\"8\" name=\"end\" x=\"48\" y=\"0\" width=\"16\" height=\"32\"/>";
    let start = link("<point/>", &[("to", "object", "8")]);
    let grid = read(&links(&format!("{start}{end}"))).unwrap();
    assert_eq!(grid.links(), [expected(1)]);
}

#[test]
fn cost_and_both_ways() {
    let more = [("cost", "int", "12"), ("two_way", "bool", "true")];
    let properties = [TO.as_slice(), &more].concat();
    let grid = read(&links(&link("<point/>", &properties))).unwrap();
    let Link { from, to, cost, .. } = expected(12);
    let back = Link::new(to, from).with_cost(cost);
    assert_eq!(grid.links(), [back, expected(12)]);
}

#[test]
fn kind_duration_and_capacity() {
    let more = [
        ("kind", "int", "4"),
        ("millis", "int", "1500"),
        ("capacity", "int", "1"),
    ];
    let properties = [TO.as_slice(), &more].concat();
    let grid = read(&links(&link("<point/>", &properties))).unwrap();
    let kind = LinkKind::new(4).unwrap();
    let expected = expected(1)
        .with_kind(kind)
        .with_millis(1500)
        .with_capacity(1);
    assert_eq!(grid.links(), [expected]);
    let wrong = [TO.as_slice(), &[("kind", "int", "16")]].concat();
    refused(
        read(&links(&link("<point/>", &wrong))),
        "line 11, column 3: object 7: property 'kind' is 16; expected an int from 0 to 15",
    );
}

#[test]
fn other_shapes() {
    for shape in ["<ellipse/>", "<polygon points=\"0,0 1,1 2,0\"/>"] {
        refused(
            read(&links(&link(shape, &TO))),
            "line 11, column 3: object 7: a link that is no point, rectangle or tile",
        );
    }
}

#[test]
fn off_map() {
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
fn without_end() {
    refused(
        read(&links(&link("<point/>", &[]))),
        "line 11, column 3: object 7: property 'to_x' is missing; expected a whole number",
    );
    refused(
        read(&links(&link("<point/>", &[("to", "object", "9")]))),
        "line 11, column 3: object 7: property 'to' is object 9; expected an object of the map",
    );
}

#[test]
fn free_of_charge() {
    let properties = [TO.as_slice(), &[("cost", "int", "0")]].concat();
    refused(
        read(&links(&link("<point/>", &properties))),
        "line 11, column 3: object 7: property 'cost' is 0; expected an int from 1 to 65535",
    );
}
