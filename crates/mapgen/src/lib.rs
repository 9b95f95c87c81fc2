//! Seeded map makers.
