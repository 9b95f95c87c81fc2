//! The checks on small crates with a known fault, so that they cannot pass by being blind.

use crate::{
    circles::circles,
    file_graph, folder_graph,
    sources::Sources,
    twice_defined,
    uses::{lost, root_names},
};

/// A crate of files, each with its text.
fn planted(files: &[(&str, &str)]) -> Sources {
    let read = |name: &str| {
        let (_, text) = files.iter().find(|(file, _)| *file == name)?;
        Some((*text).to_owned())
    };
    let sources = Sources::parse("lib.rs", &read);
    assert_eq!(lost(&sources), [""; 0]);
    sources
}

/// The circles of files of a crate.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    circles(&file_graph(&planted(files)))
}

const BOTH_WAYS: &str = "a circle of 2:\n  a.rs -> b.rs: B\n  b.rs -> a.rs: A";

#[test]
fn a_circle_by_use() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "use crate::b::B; pub struct A;"),
        ("b.rs", "use super::a::A; pub struct B;"),
    ]);
    assert_eq!(circles, [BOTH_WAYS]);
}

#[test]
fn one_way_is_no_circle() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
        ("a.rs", "use crate::B; pub struct A;"),
        ("b.rs", "pub struct B;"),
    ]);
    assert_eq!(circles, [""; 0]);
}

#[test]
fn a_circle_by_paths_in_code() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "pub struct A; fn f() -> u8 { crate::b::B::default().0 }",
        ),
        (
            "b.rs",
            "#[derive(Default)] pub struct B(pub u8); impl From<super::a::A> for B {}",
        ),
    ]);
    assert_eq!(circles, [BOTH_WAYS]);
}

#[test]
fn a_circle_through_an_imported_module() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "use super::b; pub struct A; fn f(b: b::B) {}"),
        (
            "b.rs",
            "use super::a::{self as first}; pub struct B(first::A);",
        ),
    ]);
    assert_eq!(circles, [BOTH_WAYS]);
}

#[test]
fn a_circle_through_groups_renames_and_globs() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        (
            "a.rs",
            "use crate::{b::{B as Other}, c}; pub struct A; fn f(_: Other, _: c::C) {}",
        ),
        ("b.rs", "use super::a::*; pub struct B; fn f(a: &A) {}"),
        ("c.rs", "pub struct C;"),
    ]);
    assert_eq!(circles, [BOTH_WAYS]);
}

#[test]
fn a_circle_through_re_exports_of_re_exports() {
    let circles = found(&[
        (
            "lib.rs",
            "mod inner; mod b; pub use inner::*; pub(crate) use b::B;",
        ),
        ("inner/mod.rs", "mod a; pub use self::a::A as Renamed;"),
        ("inner/a.rs", "use crate::B; pub struct A;"),
        ("b.rs", "use crate::Renamed; pub struct B;"),
    ]);
    let expected = "a circle of 2:\n  b.rs -> inner/a.rs: A\n  inner/a.rs -> b.rs: B";
    assert_eq!(circles, [expected]);
}

#[test]
fn a_circle_with_the_module_around() {
    let circles = found(&[
        ("lib.rs", "mod a;"),
        (
            "a/mod.rs",
            "mod inner; use inner::help; pub struct A; fn f() { help() }",
        ),
        ("a/inner.rs", "use super::A; pub fn help() {}"),
    ]);
    let expected = "a circle of 2:\n  a/inner.rs -> a/mod.rs: A\n  a/mod.rs -> a/inner.rs: help";
    assert_eq!(circles, [expected]);
}

#[test]
fn a_door_is_no_use() {
    let circles = found(&[
        ("lib.rs", "mod a;"),
        (
            "a/mod.rs",
            "mod inner; pub(super) use inner::help; pub struct A;",
        ),
        ("a/inner.rs", "use super::A; pub fn help() {}"),
    ]);
    assert_eq!(circles, [""; 0]);
}

#[test]
fn a_circle_in_macros_and_bodies() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "pub struct A; fn f() { assert!(vec![crate::b::B].is_empty()) }",
        ),
        ("b.rs", "pub struct B; fn f() { use crate::a::A; g::<A>() }"),
    ]);
    assert_eq!(circles, [BOTH_WAYS]);
}

#[test]
fn tests_comments_and_strings_do_not_count() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "//! See [`crate::b::B`].\n// use crate::b::B;\n/* crate::b::B */
            pub struct A; const S: &str = \"crate::b::B\";
            #[cfg(test)] mod tests { use crate::b::B; }
            #[cfg(all(test, feature = \"x\"))] use crate::b::B;
            #[cfg(test)] fn f() { crate::b::B; }
            impl A { #[cfg(test)] fn f() { crate::b::B; } }",
        ),
        ("b.rs", "use crate::a::A; pub struct B;"),
    ]);
    assert_eq!(circles, [""; 0]);
}

#[test]
fn what_is_left_out_of_tests_counts() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "#[cfg(not(test))] use crate::b::B; pub struct A;"),
        (
            "b.rs",
            "#[cfg(any(test, unix))] use crate::a::A; pub struct B;",
        ),
    ]);
    assert_eq!(circles, [BOTH_WAYS]);
}

#[test]
fn modules_in_a_file_are_one_file() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "mod one { use super::two::T; pub struct S; } mod two { use super::one::S; pub struct T; }",
        ),
        ("b.rs", "mod deep { use super::super::a; }"),
    ]);
    assert_eq!(circles, [""; 0]);
}

#[test]
fn imports_of_each_other_come_to_an_end() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "pub use crate::b::*; pub struct A;"),
        (
            "b.rs",
            "pub use crate::a::*; pub struct B; fn f(_: A, _: Nobody) {}",
        ),
    ]);
    assert_eq!(circles, [""; 0], "a re-exports only");
}

#[test]
fn a_function_and_a_module_of_one_name() {
    let circles = found(&[
        ("lib.rs", "mod search; mod b;"),
        ("search/mod.rs", "mod search; pub use search::search;"),
        ("search/search.rs", "use crate::b::B; pub fn search() {}"),
        ("b.rs", "pub struct B; fn f() { crate::search::search() }"),
    ]);
    let expected =
        "a circle of 2:\n  b.rs -> search/search.rs: search\n  search/search.rs -> b.rs: B";
    assert_eq!(circles, [expected]);
}

#[test]
fn a_circle_of_three_and_another_one() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b; mod c; mod d; mod e; mod f;"),
        ("a.rs", "use crate::{b::B, d::D}; pub struct A;"),
        ("b.rs", "use crate::c::C; pub struct B;"),
        ("c.rs", "use crate::a::A; pub struct C;"),
        ("d.rs", "use crate::e::E; pub struct D;"),
        ("e.rs", "use crate::{d::D, f::F}; pub struct E;"),
        ("f.rs", "pub struct F;"),
    ]);
    let expected = [
        "a circle of 3:\n  in short: a.rs -> b.rs -> c.rs -> a.rs\n  \
            a.rs -> b.rs: B\n  b.rs -> c.rs: C\n  c.rs -> a.rs: A",
        "a circle of 2:\n  d.rs -> e.rs: E\n  e.rs -> d.rs: D",
    ];
    assert_eq!(circles, expected);
}

#[test]
fn a_large_circle_in_short() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B; pub struct A;"),
        ("b.rs", "use crate::c::C; pub struct B;"),
        ("c.rs", "use crate::{a::A, b::B}; pub struct C;"),
    ]);
    let [circle] = &circles[..] else {
        panic!("{circles:?}");
    };
    assert_eq!(
        circle.lines().nth(1),
        Some("  in short: b.rs -> c.rs -> b.rs")
    );
}

#[test]
fn types_that_a_derive_defines() {
    let circles = found(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "use crate::b::BReadOnlyItem; pub struct A;"),
        (
            "b.rs",
            "use crate::a::A; #[derive(QueryData)] pub struct B;",
        ),
    ]);
    let expected = "a circle of 2:\n  a.rs -> b.rs: BReadOnlyItem\n  b.rs -> a.rs: A";
    assert_eq!(circles, [expected]);
}

#[test]
fn a_circle_of_folders_without_one_of_files() {
    let sources = planted(&[
        ("lib.rs", "mod low; mod high;"),
        ("low/mod.rs", "pub mod a; pub mod b;"),
        ("low/a.rs", "pub struct A;"),
        ("low/b.rs", "use crate::high::C; pub struct B;"),
        ("high.rs", "use crate::low::a::A; pub struct C;"),
    ]);
    assert_eq!(circles(&file_graph(&sources)), [""; 0]);
    let expected = "a circle of 2:\n  high -> low: A\n  low -> high: C";
    assert_eq!(circles(&folder_graph(&sources)), [expected]);
}

#[test]
fn a_type_defined_twice() {
    let sources = planted(&[
        (
            "lib.rs",
            "mod a; mod b; pub use a::Task; type Other = a::Task;",
        ),
        (
            "a.rs",
            "pub struct Task; enum Once {} #[cfg(test)] mod tests { struct Other; }",
        ),
        (
            "b.rs",
            "mod inner { type Task = u8; } fn task() {} use crate::Task;",
        ),
    ]);
    assert_eq!(twice_defined(&sources), ["Task: a.rs, b.rs"]);
}

#[test]
fn public_names_of_a_root() {
    let sources = planted(&[
        (
            "lib.rs",
            "pub mod a; mod b; pub use b::{B, C as D, inner::*}; pub(crate) use b::E;
            use b::F; pub fn g() {} pub use std::fmt;",
        ),
        ("a.rs", "pub struct A;"),
        (
            "b.rs",
            "pub struct B; pub struct C; pub struct E; pub struct F;
            pub mod inner { pub struct H; struct I; pub use super::J; } pub struct J;",
        ),
    ]);
    let names: Vec<String> = root_names(&sources).into_iter().collect();
    assert_eq!(names, ["B", "D", "H", "J", "a", "fmt", "g"]);
}

#[test]
fn a_path_that_leads_nowhere() {
    let read = |name: &str| (name == "lib.rs").then(|| "fn f() { crate::nobody() }".to_owned());
    let sources = Sources::parse("lib.rs", &read);
    assert_eq!(lost(&sources), ["lib.rs: crate::nobody"]);
}
