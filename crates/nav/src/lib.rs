//! nav
