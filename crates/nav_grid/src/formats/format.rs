//! The formats of map files, by name, extension and content.

use super::{Features, MapFile, ParseError, WriteError, bitmap, movingai, text};
use std::fmt;

/// A format of map files. Prints as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// See [`text`].
    Text,
    /// See [`movingai`].
    MovingAi,
    /// See [`bitmap`].
    Bitmap,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Text, Self::MovingAi, Self::Bitmap];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "plain text",
            Self::MovingAi => "MovingAI",
            Self::Bitmap => "bitmap",
        }
    }

    /// The extensions that stand for this format, without dot, the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Text => text::EXTENSIONS,
            Self::MovingAi => movingai::EXTENSIONS,
            Self::Bitmap => bitmap::EXTENSIONS,
        }
    }

    /// What files of this format can hold beyond one floor of cells.
    pub const fn holds(self) -> Features {
        match self {
            Self::Text | Self::MovingAi => Features::NONE,
            Self::Bitmap => Features::FRAME,
        }
    }

    /// The format of files with this extension, given without its dot, in any case.
    ///
    /// An extension that formats share stands for the usual one; [`Format::detect`] looks at
    /// the content too.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| {
            format
                .extensions()
                .iter()
                .any(|known| known.eq_ignore_ascii_case(extension))
        })
    }

    /// The format of a file with this extension and content; the extension as in
    /// [`Format::from_extension`].
    ///
    /// The extension decides, and the content where the extension does not: editors save
    /// bitmaps as `.txt` too, and a file without extension has nothing but its content. `None`
    /// when the extension is unknown, or there is none and the content looks like no format.
    ///
    /// Looks at the first line that is not blank and checks no more of it than tells the
    /// formats apart: the answer says which reader's errors will make sense.
    pub fn detect(extension: Option<&str>, bytes: &[u8]) -> Option<Self> {
        let Some(extension) = extension else {
            return Self::ALL
                .into_iter()
                .find(|format| format.looks_like(bytes));
        };
        match Self::from_extension(extension)? {
            Self::Text if Self::Bitmap.looks_like(bytes) => Some(Self::Bitmap),
            format => Some(format),
        }
    }

    fn looks_like(self, bytes: &[u8]) -> bool {
        match self {
            Self::Text => text::looks_like(bytes),
            Self::MovingAi => movingai::looks_like(bytes),
            Self::Bitmap => bitmap::looks_like(bytes),
        }
    }

    /// Reads a map.
    ///
    /// # Errors
    ///
    /// [`ParseError`] when `bytes` are not a map in this format.
    pub fn read(self, bytes: &[u8]) -> Result<MapFile, ParseError> {
        match self {
            Self::Text => text::read(bytes).map(MapFile::from),
            Self::MovingAi => movingai::read(bytes).map(MapFile::from),
            Self::Bitmap => bitmap::read(bytes).map(|(grid, frame)| MapFile {
                grid,
                frame: Some(frame),
            }),
        }
    }

    /// Writes a map, with `comment` on top where the format has comments.
    ///
    /// [`Format::read`] gives back an equal map; only a format that cannot do without a frame
    /// adds one, which the format's own page describes.
    ///
    /// # Errors
    ///
    /// [`WriteError`] when the map has something that the format cannot hold. Nothing is lost
    /// in silence; [`Format::write_what_fits`] is for those who want it lost.
    pub fn write(self, map: &MapFile, comment: &str) -> Result<Vec<u8>, WriteError> {
        let lost = map.features().without(self.holds());
        if !lost.is_empty() {
            return Err(WriteError::Loses { format: self, lost });
        }
        if let (Self::Bitmap, Some(frame)) = (self, map.frame) {
            return bitmap::write(&map.grid, &frame).map(String::into_bytes);
        }
        Ok(self.write_what_fits(map, comment))
    }

    /// Writes as much of a map as the format can hold, with `comment` on top where it has
    /// comments: the ground floor, and nothing of what [`Format::holds`] does not name.
    pub fn write_what_fits(self, map: &MapFile, comment: &str) -> Vec<u8> {
        match self {
            Self::Text => text::write(&map.grid, comment),
            Self::MovingAi => movingai::write(&map.grid),
            Self::Bitmap => bitmap::write_what_fits(&map.grid, map.frame.as_ref()),
        }
        .into_bytes()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
