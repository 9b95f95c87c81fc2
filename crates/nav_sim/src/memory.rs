//! Memory of this process, as counted by Linux.

/// Returns the most memory that this process held at one time, in bytes.
///
/// Linux counts it (`VmHWM`, the high-water mark of the resident set); `None` elsewhere.
pub fn peak_rss_bytes() -> Option<u64> {
    kibibytes(&status()?, "VmHWM:")
}

/// Forgets the most memory so far: [`peak_rss_bytes`] begins again with what is held now.
///
/// Returns whether the system did so. Where it did not, the peak stays that of the whole process.
pub fn forget_peak() -> bool {
    // 5 is the number of this request, see proc(5).
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// Returns the memory that this process holds now, in bytes.
///
/// Linux counts it (`VmRSS`, the resident set); `None` elsewhere.
pub fn rss_bytes() -> Option<u64> {
    kibibytes(&status()?, "VmRSS:")
}

fn status() -> Option<String> {
    std::fs::read_to_string("/proc/self/status").ok()
}

/// Returns the number in the line that begins with `name`, in bytes.
fn kibibytes(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_in_bytes() {
        let status = "VmPeak:\t  9 kB\nVmHWM:\t    2048 kB\nThreads:\t1\n";
        assert_eq!(kibibytes(status, "VmHWM:"), Some(2_097_152));
    }

    #[test]
    fn status_without_the_number() {
        assert_eq!(kibibytes("Threads:\t1\n", "VmHWM:"), None);
        assert_eq!(kibibytes("VmHWM:\tmany kB\n", "VmHWM:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_memory() {
        assert!(rss_bytes() > Some(0));
        assert!(peak_rss_bytes() > Some(0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn peak_is_forgotten() {
        let bytes = std::hint::black_box(vec![1_u8; 256 << 20]);
        let with = peak_rss_bytes();
        drop(bytes);
        if forget_peak() {
            assert!(peak_rss_bytes() < with);
        }
    }
}
