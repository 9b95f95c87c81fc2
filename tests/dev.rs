mod behaviour;
mod groups;
mod shuffle;
