//! chase
fn main() {}
