//! Formats of map files by name.

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
}
