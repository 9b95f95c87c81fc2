//! Writes the seeds of all fuzz targets: `cargo run -p nav_fuzz -- FOLDER`. Each target gets its
//! own folder in it.

use nav_fuzz::{Target, seeds};
use std::{env, fs, io, path::Path};

#[global_allocator]
static METER: heap_meter::Meter = heap_meter::Meter;

fn main() -> io::Result<()> {
    let folder = env::args()
        .nth(1)
        .unwrap_or_else(|| "fuzz/corpus".to_owned());
    for target in Target::ALL {
        let folder = Path::new(&folder).join(target.name());
        fs::create_dir_all(&folder)?;
        for (number, seed) in seeds(target).iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
