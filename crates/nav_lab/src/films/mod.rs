//! Moving pictures for the book, each of one behaviour or one rule: `nav_lab films`.

mod scenes;
mod sheets;
mod stage;

pub use scenes::SCENES;
pub use sheets::write_sheets;

use nav_cli::{Failure, FileError, InFile};
use stage::Stage;
use std::{fs::File, io::BufWriter, path::Path};

/// A scene of one behaviour or rule.
pub struct FilmScene {
    /// The name of the file, without its ending.
    pub name: &'static str,
    seconds: u32,
    /// The map as text.
    map: &'static str,
    cast: fn(&mut Stage),
}

impl FilmScene {
    /// Writes the picture into a folder, as GIF.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        let path = folder.join(self.name).with_extension("gif");
        let file = File::create(&path).map_err(|source| FileError::write(&path, source))?;
        let mut stage = Stage::new(self.map);
        (self.cast)(&mut stage);
        stage
            .film(self.seconds, BufWriter::new(file))
            .in_file(&path)
    }
}
