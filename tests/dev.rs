mod explain;
mod harness;
