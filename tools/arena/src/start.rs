//! Starting whoever takes part in a match, whatever it speaks.

use crate::contender::{Contender, Home, Protocol};
use crate::engine::{Fault, Flaw};
use crate::inside::InsidePlayer;
use crate::mirrored::{Mirror, Mirrored};
use crate::moment::Moment;
use crate::player::Player;
use crate::sei::SeiPlayer;
use crate::strategoevaluator::StrategoEvaluatorPlayer;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Failed starts of one contender in a row after which no further one is tried.
const MOST_FAILED: u32 = 3;

/// What the games of a match share: how often each contender, by its number, has failed to start since it did so last;
/// and where it is noted how far they are, if somebody watches.
#[derive(Debug, Default)]
pub struct Starts {
    failed: Mutex<BTreeMap<usize, u32>>,
    pub(crate) moment: Option<Arc<Moment>>,
}

impl Starts {
    /// Those of a match that somebody watches.
    pub fn watched(moment: Arc<Moment>) -> Starts {
        Starts { moment: Some(moment), ..Starts::default() }
    }

    /// Notes a start.
    pub(crate) fn note(&self, contender: usize, started: bool) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let count = failed.entry(contender).or_default();
        *count = if started { 0 } else { *count + 1 };
    }

    /// Whether a fault of a contender is one that its game can be decided by.
    ///
    /// # Errors
    /// If the fault is the machine's, or this contender cannot be started any more.
    pub(crate) fn judge(&self, number: usize, contender: &Contender, fault: &Fault) -> Result<(), Fault> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).get(&number).copied();
        if failed.is_some_and(|failed| failed >= MOST_FAILED) {
            let detail = format!("{} did not start {MOST_FAILED} times in a row: {fault}", contender.name);
            return Err(Fault::new(fault.flaw, detail));
        }
        if fault.flaw == Flaw::Host { Err(fault.clone()) } else { Ok(()) }
    }
}

impl Contender {
    /// Starts it. `patience` bounds every wait that no clock bounds.
    ///
    /// # Errors
    /// Any fault.
    pub fn start(&self, patience: Duration) -> Result<Box<dyn Player>, Fault> {
        let player = self.start_plain(patience)?;
        match self.mirror {
            Mirror::Off => Ok(player),
            mirror @ (Mirror::On | Mirror::Random) => Ok(Box::new(Mirrored::new(player, mirror))),
        }
    }

    fn start_plain(&self, patience: Duration) -> Result<Box<dyn Player>, Fault> {
        let program = match &self.home {
            Home::Inside(config) => return Ok(Box::new(InsidePlayer::new(config))),
            Home::Process(program) => program,
        };
        match program.protocol {
            Protocol::Sei => Ok(Box::new(SeiPlayer::start(self, program, patience)?)),
            Protocol::StrategoEvaluator => {
                Ok(Box::new(StrategoEvaluatorPlayer::start(&self.name, program, patience)?))
            }
        }
    }
}
