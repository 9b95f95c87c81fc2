//! Warnings of readers.

use super::files::MissingFile;
use std::fmt;

/// Part of a map file that its reader left out.
///
/// Prints as one sentence. Text of the file appears in it escaped and cut short, so it is safe to
/// log. Readers refuse what would change the map; a warning names what is likely a mistake, or what
/// another program shows and this map does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// The map refers to a file that its reader did not get, and could do without.
    #[error("{0}; what it says of terrain and sight was left out")]
    File(MissingFile),
    /// Layers without a meaning, such as decoration.
    #[error("left out for want of a meaning: {layers}; {hint}")]
    Layers {
        /// Kinds and names of the layers.
        layers: Names,
        /// How a layer gets a meaning.
        hint: &'static str,
    },
    /// Objects without a cell of the map.
    #[error("left out, since {reason}: {objects}")]
    Objects {
        /// The objects, with their layers.
        objects: Names,
        /// Why they have no cell, and what would have one.
        reason: &'static str,
    },
    /// Objects that reach over the edge of the map.
    #[error("cut at the edge of the map: {objects}")]
    Cut {
        /// The objects, with their layers.
        objects: Names,
    },
    /// Properties of objects of a type that is not read.
    #[error("left out for their types: {properties}; expected {expected}")]
    Types {
        /// Names of the properties, with their objects.
        properties: Names,
        /// Types that are read.
        expected: &'static str,
    },
    /// Layers or objects that the editor shows elsewhere, by an offset of their layer.
    #[error("the offset of layers was left out, so these lie elsewhere than shown: {parts}")]
    Shifted {
        /// Names of layers, and ids of objects.
        parts: Names,
    },
    /// Custom properties or fields that mean nothing where they are.
    #[error("left out as unknown there: {properties}")]
    Properties {
        /// Names of the properties, and where they are.
        properties: Names,
    },
    /// Collision shapes of tiles, which make no walls.
    #[error("collision shapes of tiles were left out, walls come from layers: {tilesets}")]
    CollisionShapes {
        /// Names of the tilesets.
        tilesets: Names,
    },
    /// Values of grid layers without a meaning. Their cells count as empty.
    #[error("values without a meaning count as empty: {values}; expected names such as {expected}")]
    Values {
        /// Layers and their values.
        values: Names,
        /// Names with a meaning.
        expected: String,
    },
    /// No cell of a picture is ground, since what is not black is transparent.
    #[error(
        "no cell is ground: {transparent} of {pixels} pixels are fully transparent, which means wall, \
         and the others are black; put the drawing on a white background, which is ground, and save it \
         without transparency"
    )]
    Transparent {
        /// Number of fully transparent pixels.
        transparent: usize,
        /// Number of all pixels.
        pixels: usize,
    },
    /// Chunks of a picture that are not part of the PNG standard or its usual extensions.
    #[error("unknown chunks of the picture were left out: {chunks}")]
    Chunks {
        /// Types of the chunks.
        chunks: Names,
    },
    /// The picture is animated, and only its first frame was read.
    #[error("the picture is animated, and only its first frame was read")]
    Animation,
    /// A picture of a layer beside a map that is no PNG. Readers open no such files: this is for
    /// programs that look for them.
    #[error("the picture '{file}' was left out; expected this layer of the map as '{expected}'")]
    LayerBeside {
        /// Name of the file.
        file: String,
        /// Name of the file that would be read.
        expected: String,
    },
    /// Bytes after the end of a picture.
    #[error("{bytes} bytes after the end of the picture were left out")]
    Behind {
        /// Number of bytes.
        bytes: usize,
    },
}

/// Names in a sentence: the first few, and the number of all.
///
/// Prints as `'sky', 'trees' and 3 more`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    first: Vec<String>,
    count: usize,
}

impl Names {
    /// Greatest number of names that are kept: enough to find the cause in a line or two.
    const KEPT_MAX: usize = 5;

    /// Returns the first names, up to five.
    pub fn first(&self) -> &[String] {
        &self.first
    }

    /// Returns the number of all names.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Adds a name, which is only formatted if it is kept.
    pub(crate) fn add(&mut self, name: impl fmt::Display) {
        self.count += 1;
        if self.first.len() < Self::KEPT_MAX {
            self.first.push(name.to_string());
        }
    }

    /// Adds other names behind these.
    pub(crate) fn append(&mut self, other: Self) {
        self.count += other.count;
        self.first.extend(other.first);
        self.first.truncate(Self::KEPT_MAX);
    }

    /// Adds a warning about the names to a list, if there are any.
    pub(crate) fn warn(self, warnings: &mut Vec<Warning>, warning: impl FnOnce(Self) -> Warning) {
        if self.count > 0 {
            warnings.push(warning(self));
        }
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = self.count - self.first.len();
        for (index, name) in self.first.iter().enumerate() {
            let is_last = index + 1 == self.first.len() && more == 0;
            let before = match index {
                0 => "",
                _ if is_last => " and ",
                _ => ", ",
            };
            write!(f, "{before}{name}")?;
        }
        match more {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
