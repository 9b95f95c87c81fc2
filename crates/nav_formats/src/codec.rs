//! Formats in use: their extensions, detection by content, readers and writers.

#[cfg(feature = "tiled")]
use super::tiled;
use super::{
    bitmap, bmp,
    error::{ParseError, Problem},
    features::Features,
    files::{ReadOptions, is_utf16},
    format::Format,
    map_file::MapFile,
    movingai,
    object::MapObject,
    write_error::WriteError,
};
use nav_grid::map::text;

/// Extension of plain-text maps.
const TEXT_EXTENSIONS: &[&str] = &["txt"];

impl Format {
    /// Returns the extensions of this format without dots, the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Text => TEXT_EXTENSIONS,
            Self::MovingAi => movingai::EXTENSIONS,
            Self::Bitmap => bitmap::EXTENSIONS,
            #[cfg(feature = "png")]
            Self::Png => super::png::EXTENSIONS,
            Self::Bmp => bmp::EXTENSIONS,
            #[cfg(feature = "ldtk")]
            Self::Ldtk => super::ldtk::EXTENSIONS,
            #[cfg(feature = "tiled")]
            Self::TiledXml => &["tmx"],
            #[cfg(feature = "tiled")]
            Self::TiledJson => &["tmj", "json"],
            #[cfg(feature = "binary")]
            Self::Binary => super::binary::EXTENSIONS,
        }
    }

    /// Returns what files of this format can hold beyond one floor of cells.
    pub const fn holds(self) -> Features {
        match self {
            Self::Text | Self::MovingAi => Features::NONE,
            Self::Bitmap => Features::FRAME,
            #[cfg(feature = "png")]
            Self::Png => Features::COSTS,
            Self::Bmp => Features::COSTS,
            #[cfg(feature = "ldtk")]
            Self::Ldtk => Features::COSTS
                .union(Features::LINKS)
                .union(Features::CLASSES)
                .union(Features::SIGHT)
                .union(Features::OBJECTS)
                .union(Features::LISTS),
            #[cfg(feature = "tiled")]
            Self::TiledXml | Self::TiledJson => Features::ALL
                .without(Features::FRAME)
                .without(Features::ROADS)
                .without(Features::HEIGHTS)
                .without(Features::LISTS),
            #[cfg(feature = "binary")]
            Self::Binary => Features::ALL,
        }
    }

    /// Returns whether files of this format can be written. All but `LDtk` projects can.
    pub const fn can_write(self) -> bool {
        match self {
            #[cfg(feature = "ldtk")]
            Self::Ldtk => false,
            _ => true,
        }
    }

    /// Returns the format for an extension, given without its dot and in any case.
    ///
    /// An extension shared by several formats means the most usual one. [`Format::detect`] looks at
    /// the content too.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| {
            format
                .extensions()
                .iter()
                .any(|known| known.eq_ignore_ascii_case(extension))
        })
    }

    /// Returns the format for an extension and a content. The extension is given as in
    /// [`Format::from_extension`].
    ///
    /// The extension decides, and the content where the extension does not: editors save bitmaps as
    /// `.txt` too, `.json` is a map of Tiled or of `LDtk`, and a file without extension has only its
    /// content. `None` if the extension is unknown, or if there is none and the content looks like
    /// no format.
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

    const fn is_text(self) -> bool {
        match self {
            #[cfg(feature = "png")]
            Self::Png => false,
            Self::Bmp => false,
            #[cfg(feature = "binary")]
            Self::Binary => false,
            _ => true,
        }
    }

    fn looks_like(self, bytes: &[u8]) -> bool {
        match self {
            Self::Text => text::looks_like(bytes),
            Self::MovingAi => movingai::looks_like(bytes),
            Self::Bitmap => bitmap::looks_like(bytes),
            #[cfg(feature = "png")]
            Self::Png => super::png::looks_like(bytes),
            Self::Bmp => bmp::looks_like(bytes),
            #[cfg(feature = "ldtk")]
            Self::Ldtk => super::ldtk::looks_like(bytes),
            #[cfg(feature = "tiled")]
            Self::TiledXml => text::skip_mark(bytes).trim_ascii_start().starts_with(b"<"),
            #[cfg(feature = "tiled")]
            Self::TiledJson => text::skip_mark(bytes)
                .trim_ascii_start()
                .strip_prefix(b"{")
                .is_some_and(|inside| inside.trim_ascii_start().starts_with(b"\"")),
            #[cfg(feature = "binary")]
            Self::Binary => super::binary::looks_like(bytes),
        }
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
    #[cfg_attr(
        not(any(feature = "ldtk", feature = "tiled")),
        expect(unused_variables, reason = "only these formats have other files")
    )]
    pub fn read_with(self, bytes: &[u8], options: &ReadOptions<'_>) -> Result<MapFile, ParseError> {
        if self.is_text() && is_utf16(bytes) {
            return Err(Problem::Utf16.on_line(1));
        }
        match self {
            Self::Text => Ok(text::read(bytes)?.into()),
            Self::MovingAi => movingai::read(bytes).map(MapFile::from),
            Self::Bitmap => {
                bitmap::read(bytes).map(|(grid, frame)| MapFile::from(grid).with_frame(frame))
            }
            #[cfg(feature = "png")]
            Self::Png => super::png::read(bytes),
            Self::Bmp => bmp::read(bytes),
            #[cfg(feature = "ldtk")]
            Self::Ldtk => super::ldtk::read(bytes, options),
            #[cfg(feature = "tiled")]
            Self::TiledXml => tiled::read_tmx(bytes, options),
            #[cfg(feature = "tiled")]
            Self::TiledJson => tiled::read_tmj(bytes, options),
            #[cfg(feature = "binary")]
            Self::Binary => super::binary::read(bytes),
        }
    }

    /// Writes a map, with `comment` on top if the format has comments.
    ///
    /// [`Format::read`] returns an equal map. Only a format that needs a frame adds one, as its
    /// module documents.
    ///
    /// # Errors
    ///
    /// [`WriteError`] if the map has something that the format cannot hold, or if there is no writer.
    /// Nothing is lost silently; use [`Format::write_what_fits`] to accept the loss.
    pub fn write(self, map: &MapFile, comment: &str) -> Result<Vec<u8>, WriteError> {
        if !self.can_write() {
            return Err(WriteError::ReadOnly { format: self });
        }
        let lost = map.features().without(self.holds());
        if !lost.is_empty() {
            return Err(WriteError::Loses { format: self, lost });
        }
        if let Some((object, fault)) = self.unwritable(map) {
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

    /// Returns the first object that cannot be written, although the format holds objects, and why.
    fn unwritable(self, map: &MapFile) -> Option<(&MapObject, &'static str)> {
        let fault: fn(&MapObject) -> Option<&'static str> = match self {
            #[cfg(feature = "tiled")]
            Self::TiledXml | Self::TiledJson => tiled::fault,
            #[cfg(feature = "binary")]
            Self::Binary => super::binary::fault,
            _ => |_| None,
        };
        let mut objects = map.objects.iter();
        objects.find_map(|object| Some((object, fault(object)?)))
    }

    /// Writes as much of a map as the format can hold, with `comment` on top if it has comments.
    ///
    /// That is the ground floor and what [`Format::holds`] names. Objects that [`Format::write`] would
    /// refuse are left out.
    ///
    /// # Errors
    ///
    /// - [`WriteError::Encoder`] if the encoder of the format fails.
    /// - [`WriteError::ReadOnly`] if there is no writer: see [`Format::can_write`].
    pub fn write_what_fits(self, map: &MapFile, comment: &str) -> Result<Vec<u8>, WriteError> {
        match self {
            Self::Text => Ok(text::write(&map.grid, comment).into_bytes()),
            Self::MovingAi => Ok(movingai::write(&map.grid).into_bytes()),
            Self::Bitmap => Ok(bitmap::write_what_fits(&map.grid, map.frame.as_ref()).into_bytes()),
            #[cfg(feature = "png")]
            Self::Png => super::png::write(&map.grid),
            Self::Bmp => Ok(bmp::write(&map.grid)),
            #[cfg(feature = "ldtk")]
            Self::Ldtk => Err(WriteError::ReadOnly { format: self }),
            #[cfg(feature = "tiled")]
            Self::TiledXml => Ok(tiled::write_tmx(&map.grid, &map.objects).into_bytes()),
            #[cfg(feature = "tiled")]
            Self::TiledJson => Ok(tiled::write_tmj(&map.grid, &map.objects).into_bytes()),
            #[cfg(feature = "binary")]
            Self::Binary => super::binary::write(map),
        }
    }
}
