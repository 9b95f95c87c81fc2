//! Whatever happens to an agent, whatever it is doing.
