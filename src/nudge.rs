//! Small deliberate changes of play, so that a test can prove that `bench` notices them. In a built engine there are none: what
//! is asked for is handed back.

/// A part of the engine that a test may change.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Part {
    /// The likelihood of the belief that is called so on the wire.
    Belief(&'static str),
    /// What pieces are worth.
    Evaluation,
    /// What a strike past the horizon must promise.
    Search,
}

/// `value`, or a little more of it where a test changes `part`.
#[cfg(not(test))]
#[inline]
pub(crate) const fn nudged(_part: Part, value: f32) -> f32 {
    value
}

#[cfg(test)]
pub(crate) use changes::{nudged, with};

#[cfg(test)]
mod changes {
    use super::Part;
    use std::cell::Cell;

    thread_local! {
        static CHANGED: Cell<Option<Part>> = const { Cell::new(None) };
    }

    /// By how much.
    const MORE: f32 = 1.2;

    pub(crate) fn nudged(part: Part, value: f32) -> f32 {
        if CHANGED.get() == Some(part) { value * MORE } else { value }
    }

    /// Does the work on this thread with `part` changed.
    pub(crate) fn with<T>(part: Part, work: impl FnOnce() -> T) -> T {
        CHANGED.set(Some(part));
        let done = work();
        CHANGED.set(None);
        done
    }
}
