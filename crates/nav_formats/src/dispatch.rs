//! Formats in use: their names, detection by extension and content, readers and writers.

use super::{
    bitmap, bmp,
    codec::{Codec, TEXT},
    error::{ParseError, Problem},
    features::Features,
    files::{ReadOptions, is_utf16},
    format::Format,
    map_file::MapFile,
    movingai,
    write_error::WriteError,
};
use std::fmt;

impl Format {
    const fn codec(self) -> &'static Codec {
        match self {
            Self::Text => &TEXT,
            Self::MovingAi => &movingai::CODEC,
            Self::Bitmap => &bitmap::CODEC,
            #[cfg(feature = "png")]
            Self::Png => &super::png::CODEC,
            Self::Bmp => &bmp::CODEC,
            #[cfg(feature = "ldtk")]
            Self::Ldtk => &super::ldtk::CODEC,
            #[cfg(feature = "tiled")]
            Self::TiledXml => &super::tiled::XML,
            #[cfg(feature = "tiled")]
            Self::TiledJson => &super::tiled::JSON,
            #[cfg(feature = "binary")]
            Self::Binary => &super::binary::CODEC,
        }
    }

    /// Returns the common name of the format.
    pub const fn name(self) -> &'static str {
        self.codec().name
    }

    /// Returns the extensions of this format without dots, the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        self.codec().extensions
    }

    /// Returns what files of this format can hold beyond one floor of cells.
    pub const fn holds(self) -> Features {
        self.codec().holds
    }

    /// Returns whether files of this format can be written. All but `LDtk` projects can.
    pub const fn can_write(self) -> bool {
        self.codec().write.is_some()
    }

    /// Returns the format for an extension, given without its dot and in any case.
    ///
    /// An extension shared by several formats means the most usual one. [`Format::detect`] looks at
    /// the content too.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let mut formats = Self::ALL.iter().copied();
        formats.find(|format| {
            let mut known = format.extensions().iter();
            known.any(|known| known.eq_ignore_ascii_case(extension))
        })
    }

    /// Returns the format for an extension and a content. The extension is given as in
    /// [`Format::from_extension`].
    ///
    /// The extension decides, and the content where the extension does not: editors save bitmaps as
    /// `.txt` too, `.json` is a map of Tiled or of `LDtk`, and a file without extension has only
    /// its content. `None` if the extension is unknown, or if there is none and the content looks
    /// like no format.
    ///
    /// Checks only as much of the first line that is not blank as tells the formats apart. The
    /// content may still be invalid. The result tells which reader gives meaningful errors.
    pub fn detect(extension: Option<&str>, bytes: &[u8]) -> Option<Self> {
        let Some(extension) = extension else {
            return Self::ALL
                .iter()
                .copied()
                .find(|format| format.looks_like(bytes));
        };
        match Self::from_extension(extension)? {
            Self::Text if Self::Bitmap.looks_like(bytes) => Some(Self::Bitmap),
            #[cfg(all(feature = "ldtk", feature = "tiled"))]
            Self::TiledJson if Self::Ldtk.looks_like(bytes) => Some(Self::Ldtk),
            format => Some(format),
        }
    }

    fn looks_like(self, bytes: &[u8]) -> bool {
        (self.codec().looks_like)(bytes)
    }

    /// Reads a map.
    ///
    /// # Errors
    ///
    /// [`ParseError`] if `bytes` are not a map in this format, or if it needs other files.
    pub fn read(self, bytes: &[u8]) -> Result<MapFile, ParseError> {
        self.read_with(bytes, &ReadOptions::default())
    }

    /// Reads a map that may refer to other files, or is one of several in its file.
    ///
    /// # Errors
    ///
    /// [`ParseError`] if `bytes` are not a map in this format or are text in UTF-16, or if a file
    /// that it needs is missing.
    pub fn read_with(self, bytes: &[u8], options: &ReadOptions<'_>) -> Result<MapFile, ParseError> {
        let codec = self.codec();
        if codec.is_text && is_utf16(bytes) {
            return Err(Problem::Utf16.on_line(1));
        }
        (codec.read)(bytes, options)
    }

    /// Writes a map, with `comment` on top if the format has comments.
    ///
    /// [`Format::read`] returns an equal map. Only a format that needs a frame adds one, as its
    /// module documents.
    ///
    /// # Errors
    ///
    /// [`WriteError`] if the map has something that the format cannot hold, or if there is no
    /// writer. Nothing is lost silently; use [`Format::write_what_fits`] to accept the loss.
    pub fn write(self, map: &MapFile, comment: &str) -> Result<Vec<u8>, WriteError> {
        if !self.can_write() {
            return Err(WriteError::ReadOnly { format: self });
        }
        let lost = map.features().without(self.holds());
        if !lost.is_empty() {
            return Err(WriteError::Loses { format: self, lost });
        }
        let fault = self.codec().fault;
        let mut objects = map.objects.iter();
        if let Some((object, fault)) = objects.find_map(|it| Some((it, fault(it)?))) {
            let (format, object) = (self, object.describe());
            return Err(WriteError::Object {
                format,
                object,
                fault,
            });
        }
        if let (Self::Bitmap, Some(frame)) = (self, &map.frame) {
            return bitmap::write(&map.grid, frame).map(String::into_bytes);
        }
        self.write_what_fits(map, comment)
    }

    /// Writes as much of a map as the format can hold, with `comment` on top if it has comments.
    ///
    /// That is the ground floor and what [`Format::holds`] names. Objects that [`Format::write`]
    /// would refuse are left out.
    ///
    /// # Errors
    ///
    /// - [`WriteError::Encoder`] if the encoder of the format fails.
    /// - [`WriteError::ReadOnly`] if there is no writer: see [`Format::can_write`].
    pub fn write_what_fits(self, map: &MapFile, comment: &str) -> Result<Vec<u8>, WriteError> {
        match self.codec().write {
            Some(write) => write(map, comment),
            None => Err(WriteError::ReadOnly { format: self }),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
