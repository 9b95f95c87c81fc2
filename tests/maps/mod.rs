//! Maps: edits, costs, classes, storeys, links, and places in the world.

mod changing_costs;
mod classes;
mod edits;
mod heights;
mod links;
mod roads;
mod screens;
mod storeys;
mod transform;
