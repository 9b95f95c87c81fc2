//! Complaints from users, each as a scene that must not happen again.

mod budgets;
mod costs;
mod crossings;
mod doors;
mod ends;
mod fields;
mod links;
mod moving;
mod numbers;
mod passages;
mod rings;
pub mod scene;
mod shots;
mod sizes;
