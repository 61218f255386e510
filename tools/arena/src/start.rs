//! Starting whoever takes part in a match, whatever it speaks.

use crate::contender::{Contender, Home, Protocol};
use crate::engine::Fault;
use crate::inside::InsidePlayer;
use crate::mirrored::{Mirror, Mirrored};
use crate::player::Player;
use crate::sei::SeiPlayer;
use crate::strategoevaluator::StrategoEvaluatorPlayer;
use std::time::Duration;

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
