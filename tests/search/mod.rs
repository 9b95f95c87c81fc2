//! Searches: their methods, their budget, and requests of a game.

mod bounds;
mod budget;
mod methods;
mod requests;
