//! Searches: their methods, their budget, and requests of a game.

mod budget;
mod methods;
mod requests;
