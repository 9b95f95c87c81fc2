//! repath
