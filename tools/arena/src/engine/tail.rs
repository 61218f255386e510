//! The end of what an engine says on stderr.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Bytes that are kept.
const KEPT: usize = 8 << 10;

/// The last bytes of a stream that a thread of its own reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Reads the stream to its end, so that whoever writes never has to wait.
    pub(super) fn of(mut stream: impl Read + Send + 'static) -> Tail {
        let tail = Tail::default();
        let kept = tail.clone();
        thread::spawn(move || {
            let mut block = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut block) {
                kept.keep(&block[..count]);
            }
        });
        tail
    }

    fn keep(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }

    /// What is kept now.
    pub(super) fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept.iter().copied().collect::<Vec<_>>()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let tail = Tail::default();
        tail.keep(b"first\n");
        assert_eq!(tail.text(), "first\n");
        tail.keep(&[b'x'; KEPT]);
        tail.keep(b"last");
        assert_eq!(tail.text().len(), KEPT);
        assert!(tail.text().ends_with("xlast"));
    }
}
