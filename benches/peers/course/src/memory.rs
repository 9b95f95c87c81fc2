//! Memory of this process, as counted by Linux.

use crate::Failure;

/// Returns the most memory that this process held at one time, in MiB: `VmHWM`, the high-water mark
/// of the resident set.
pub(crate) fn peak_mib() -> Result<f64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")
        .map_err(|error| format!("The peak of memory cannot be read: {error}."))?;
    let kib = kibibytes(&status).ok_or("The status of this process has no VmHWM.")?;
    Ok(kib / 1024.0)
}

fn kibibytes(status: &str) -> Option<f64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_the_line() {
        assert_eq!(
            kibibytes("VmPeak:\t 9 kB\nVmHWM:\t  2048 kB\n"),
            Some(2048.0)
        );
        assert_eq!(kibibytes("VmPeak:\t 9 kB\n"), None);
    }
}
