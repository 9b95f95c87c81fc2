mod all_behaviours;
mod explain;
mod harness;
mod requests;
mod saving;
mod trace;
