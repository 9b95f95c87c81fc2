//! Contact sheets of films, and their check.

use nav_cli::{Failure, FileError, InFile};
use nav_sim::picture::Reel;
use std::{
    fs::{self, File},
    io::{BufReader, BufWriter},
    path::{Path, PathBuf},
};

/// Longest time in which nothing may move in a film, in hundredths of a second. Two seconds are
/// enough to see how a film ends; in longer ones a reader thinks that it has stopped.
const STILL_MAX: u64 = 200;

/// Writes a contact sheet of each `.gif` of a folder into another one, as PNG. Returns the films in
/// which nothing moves for more than two seconds, each with a sentence.
///
/// # Errors
///
/// There is no film, or one cannot be read, or a sheet cannot be written.
pub fn write_sheets(films: &Path, folder: &Path) -> Result<Vec<String>, Failure> {
    let mut still = Vec::new();
    for path in films_of(films)? {
        let reel = read(&path)?;
        let name = path.file_stem().unwrap_or_default();
        let sheet = folder.join(name).with_extension("png");
        let out = File::create(&sheet).map_err(|source| FileError::write(&sheet, source))?;
        reel.write_sheet(BufWriter::new(out)).in_file(&sheet)?;
        let longest = reel.longest_still();
        if longest > STILL_MAX {
            still.push(format!(
                "{}: nothing moves for {:.1} seconds, more than {:.1}",
                path.display(),
                longest as f64 / 100.0,
                STILL_MAX as f64 / 100.0
            ));
        }
    }
    Ok(still)
}

fn read(path: &Path) -> Result<Reel, Failure> {
    let file = File::open(path).map_err(|source| FileError::read(path, source))?;
    Reel::read(BufReader::new(file)).in_file(path)
}

/// Returns the films of a folder in the order of their names.
fn films_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|source| FileError::read(folder, source))?;
    let mut films = Vec::new();
    for entry in entries {
        let path = entry.in_file(folder)?.path();
        if path.extension().is_some_and(|ending| ending == "gif") {
            films.push(path);
        }
    }
    films.sort_unstable();
    if films.is_empty() {
        return Err("there is no .gif in it").in_file(folder);
    }
    Ok(films)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The films of the book, of scenarios as of scenes.
    const PICTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/pictures");

    #[test]
    fn no_film_stands_still() {
        let folder = std::env::temp_dir().join(format!("nav_sheets-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let still = write_sheets(Path::new(PICTURES), &folder).unwrap();
        assert_eq!(still, [""; 0]);
        let sheets = fs::read_dir(&folder).unwrap().count();
        assert_eq!(sheets, films_of(Path::new(PICTURES)).unwrap().len());
        assert!(sheets > 20, "{sheets}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn folder_without_films() {
        let error = write_sheets(Path::new(env!("CARGO_MANIFEST_DIR")), Path::new("."));
        let said = error.unwrap_err().to_string();
        assert!(said.ends_with("there is no .gif in it"), "{said}");
    }
}
