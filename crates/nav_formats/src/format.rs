//! Formats of map files by name.

use std::fmt;

/// Format of map files. Prints as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Plain text: see [`text`](nav_grid::map::text).
    Text,
    /// Grid format of the `MovingAI` benchmarks: see [`movingai`](crate::movingai).
    MovingAi,
    /// Walkability bitmap: see [`bitmap`](crate::bitmap).
    Bitmap,
    /// Grey-scale picture: see [`png`](super::png).
    #[cfg(feature = "png")]
    Png,
    /// Picture of Windows: see [`bmp`](super::bmp).
    Bmp,
    /// `LDtk` project: see [`ldtk`](super::ldtk).
    #[cfg(feature = "ldtk")]
    Ldtk,
    /// Tiled map in XML: see [`tiled`](super::tiled).
    #[cfg(feature = "tiled")]
    TiledXml,
    /// Tiled map in JSON: see [`tiled`](super::tiled).
    #[cfg(feature = "tiled")]
    TiledJson,
    /// Binary format of this project: see [`binary`](super::binary).
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
        Self::Bmp,
        // Before the other format in JSON, which any object resembles.
        #[cfg(feature = "ldtk")]
        Self::Ldtk,
        #[cfg(feature = "tiled")]
        Self::TiledXml,
        #[cfg(feature = "tiled")]
        Self::TiledJson,
        #[cfg(feature = "binary")]
        Self::Binary,
    ];

    /// Returns the common name of the format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "plain text",
            Self::MovingAi => "MovingAI",
            Self::Bitmap => "bitmap",
            #[cfg(feature = "png")]
            Self::Png => "PNG",
            Self::Bmp => "BMP",
            #[cfg(feature = "ldtk")]
            Self::Ldtk => "LDtk",
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
