//! A player that sees and plays the game with left and right exchanged.
//!
//! The board and the rules are the same from either hand, so the player notices nothing. What changes is where its
//! setup stands: a bot that has but one plays a second one.

use crate::engine::Fault;
use crate::player::{Choice, Offer, Player, Seat, Turn};
use outflank::event::Event;
use outflank::named_enum::named_enum;
use outflank::rules::{Played, Setup, Side};

named_enum! {
    /// When left and right are exchanged.
    #[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
    pub enum Mirror {
        /// Never.
        #[default]
        Off = "off",
        /// In every game.
        On = "on",
        /// In every other game, as its seed has it.
        Random = "random",
    }
}

impl Mirror {
    const fn exchanges(self, seed: u64) -> bool {
        match self {
            Mirror::Off => false,
            Mirror::On => true,
            Mirror::Random => seed >> 63 == 1,
        }
    }
}

/// A player behind a mirror.
pub struct Mirrored {
    player: Box<dyn Player>,
    mirror: Mirror,
    /// Whether it is so in this game.
    exchanged: bool,
}

impl Mirrored {
    /// Sets a player behind a mirror.
    pub const fn new(player: Box<dyn Player>, mirror: Mirror) -> Mirrored {
        Mirrored { player, mirror, exchanged: false }
    }
}

impl Player for Mirrored {
    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        self.exchanged = self.mirror.exchanges(seat.seed);
        self.player.begin(seat)
    }

    fn choose_setup(&mut self) -> Result<Setup, Fault> {
        let setup = self.player.choose_setup()?;
        Ok(if self.exchanged { setup.mirrored() } else { setup })
    }

    fn observe(&mut self, event: &Event) -> Result<(), Fault> {
        let event = if self.exchanged { mirrored(event) } else { *event };
        self.player.observe(&event)
    }

    fn choose(&mut self, turn: &Turn) -> Result<Offer, Fault> {
        let mut offer = self.player.choose(turn)?;
        if self.exchanged {
            if let Choice::Act(action) = &mut offer.choice {
                *action = action.mirrored();
            }
            for (action, _) in &mut offer.candidates {
                *action = action.mirrored();
            }
        }
        Ok(offer)
    }

    fn end(&mut self, winner: Option<Side>) -> Result<(), Fault> {
        self.player.end(winner)
    }

    fn about(&self) -> &str {
        self.player.about()
    }
}

fn mirrored(event: &Event) -> Event {
    match event {
        Event::Deployed(side, setup) => Event::Deployed(*side, setup.mirrored()),
        Event::Played(played) => {
            Event::Played(Played { action: played.action.mirrored(), verdict: played.verdict })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::Square;

    #[test]
    fn the_image_of_an_image_is_the_thing_itself() {
        for square in Square::all() {
            let image = square.mirrored();
            assert_eq!((image.row(), image.file()), (square.row(), 9 - square.file()));
            assert_eq!(image.mirrored(), square);
        }
        let event = Event::Played("b9xb10+?@c2=W62".parse().unwrap());
        assert_eq!(mirrored(&event), Event::Played("i9xi10+?@h2=W62".parse().unwrap()));
        assert_eq!(mirrored(&mirrored(&event)), event);
    }

    #[test]
    fn half_of_the_seeds_exchange() {
        let halves = [Mirror::Random.exchanges(u64::MAX), Mirror::Random.exchanges(1)];
        assert_eq!(halves, [true, false]);
        assert!(Mirror::On.exchanges(1) && !Mirror::Off.exchanges(u64::MAX));
    }
}
