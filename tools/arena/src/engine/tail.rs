//! The end of what an engine says on stderr.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Bytes that are kept.
const KEPT: usize = 8 << 10;

/// The last bytes of a stream that a thread of its own reads.
#[derive(Debug, Default)]
pub(super) struct Tail {
    kept: Kept,
    reader: Option<JoinHandle<()>>,
}

#[derive(Clone, Debug, Default)]
struct Kept(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Reads the stream to its end, so that whoever writes never has to wait.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub(super) fn of(mut stream: impl Read + Send + 'static) -> io::Result<Tail> {
        let kept = Kept::default();
        let own = kept.clone();
        let reader = thread::Builder::new().spawn(move || {
            let mut block = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut block) {
                own.keep(&block[..count]);
            }
        })?;
        Ok(Tail { kept, reader: Some(reader) })
    }

    /// What is kept now.
    pub(super) fn text(&self) -> String {
        self.kept.text()
    }

    /// What is kept once the stream has ended, or at the deadline.
    pub(super) fn last(&self, deadline: Instant) -> String {
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        self.text()
    }
}

impl Kept {
    fn keep(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }

    fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept.iter().copied().collect::<Vec<_>>()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let tail = Kept::default();
        tail.keep(b"first\n");
        assert_eq!(tail.text(), "first\n");
        tail.keep(&[b'x'; KEPT]);
        tail.keep(b"last");
        assert_eq!(tail.text().len(), KEPT);
        assert!(tail.text().ends_with("xlast"));
        let stream = Tail::of(&b"to the end"[..]).unwrap();
        assert_eq!(stream.last(Instant::now() + Duration::from_secs(20)), "to the end");
    }
}
