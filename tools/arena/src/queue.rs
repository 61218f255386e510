//! Handing out games to several threads.

use std::sync::{Mutex, PoisonError};

/// Numbers of games, each handed out once. They are made as they are asked for, so that a match takes no memory for
/// games that have not begun.
pub struct Queue<'a>(Mutex<Box<dyn Iterator<Item = u64> + Send + 'a>>);

impl<'a> Queue<'a> {
    /// A queue of these numbers.
    pub fn new(numbers: impl Iterator<Item = u64> + Send + 'a) -> Queue<'a> {
        Queue(Mutex::new(Box::new(numbers)))
    }

    /// The next number; `None` once there is none left or the queue is closed.
    pub fn next(&self) -> Option<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    /// No further number is handed out.
    pub fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Box::new(std::iter::empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_until_the_queue_is_closed() {
        let queue = Queue::new(0..u64::MAX);
        assert_eq!([queue.next(), queue.next()], [Some(0), Some(1)]);
        queue.close();
        assert_eq!(queue.next(), None);
    }
}
