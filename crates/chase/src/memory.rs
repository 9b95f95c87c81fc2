//! How much memory the program has used.

/// The most memory this process has held at one time since it started, in bytes.
///
/// Linux counts it (`VmHWM`, the high-water mark of the resident set); `None` elsewhere.
pub fn peak_rss_bytes() -> Option<u64> {
    high_water_mark(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn high_water_mark(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read_in_bytes() {
        let status = "VmPeak:\t  9 kB\nVmHWM:\t    2048 kB\nThreads:\t1\n";
        assert_eq!(high_water_mark(status), Some(2_097_152));
    }

    #[test]
    fn a_status_without_a_mark_gives_none() {
        assert_eq!(high_water_mark("Threads:\t1\n"), None);
        assert_eq!(high_water_mark("VmHWM:\tmany kB\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_memory() {
        assert!(peak_rss_bytes() > Some(0));
    }
}
