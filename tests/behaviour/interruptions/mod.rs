//! Whatever happens to an agent, whatever it is doing: afterwards it is where the rules say, and nobody
//! goes by what was true before.

mod check;
mod events;
mod scene;
