//! Maps of a benchmark collection, `MovingAI`.

use crate::yard::{YARD_MOVINGAI, yard};
use nav_formats::movingai;

#[test]
fn read_and_written() {
    assert_eq!(movingai::read(YARD_MOVINGAI.as_bytes()), Ok(yard()));
    assert_eq!(movingai::write(&yard()), YARD_MOVINGAI);
}

#[test]
fn long_header_line() {
    let file = "\u{e4}".repeat(1 << 20);
    assert_eq!(
        movingai::read(file.as_bytes()).unwrap_err().to_string(),
        format!(
            "line 1: unknown header line '{}...'; expected 'type octile'",
            "\u{e4}".repeat(40)
        )
    );
}
