//! The formats of map files by name.

use std::fmt;

/// A format of map files. Prints as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// See [`text`](nav_grid::map::text).
    Text,
    /// See [`movingai`](crate::movingai).
    MovingAi,
    /// See [`bitmap`](crate::bitmap).
    Bitmap,
    /// See [`png`](super::png).
    #[cfg(feature = "png")]
    Png,
    /// See [`tiled`](super::tiled): XML.
    #[cfg(feature = "tiled")]
    TiledXml,
    /// See [`tiled`](super::tiled): JSON.
    #[cfg(feature = "tiled")]
    TiledJson,
    /// See [`binary`](super::binary).
    #[cfg(feature = "binary")]
    Binary,
}

impl Format {
    /// All formats that the crate was built with.
    pub const ALL: &'static [Self] = &[
        Self::Text,
        Self::MovingAi,
        Self::Bitmap,
        #[cfg(feature = "png")]
        Self::Png,
        #[cfg(feature = "tiled")]
        Self::TiledXml,
        #[cfg(feature = "tiled")]
        Self::TiledJson,
        #[cfg(feature = "binary")]
        Self::Binary,
    ];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "plain text",
            Self::MovingAi => "MovingAI",
            Self::Bitmap => "bitmap",
            #[cfg(feature = "png")]
            Self::Png => "PNG",
            #[cfg(feature = "tiled")]
            Self::TiledXml => "Tiled XML",
            #[cfg(feature = "tiled")]
            Self::TiledJson => "Tiled JSON",
            #[cfg(feature = "binary")]
            Self::Binary => "binary",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
