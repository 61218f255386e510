//! The game as the host reported it: one player's knowledge, or both armies.

use outflank_engine::belief::{Belief, Evidence, Known};
use outflank_engine::engine::Engine;
use outflank_rules::event::{Event, mask_played};
use outflank_rules::rules::{
    Action, BySide, Ending, NoRescue, PlayError, Played, Position, Ruleset, Setup, Side, Spn, Viewer,
};
use outflank_rules::view::View;

/// What was reported.
#[derive(Clone, Debug)]
pub(crate) enum Board {
    /// One player's knowledge: ours in a game.
    Player(Box<Engine>),
    /// A board on which both armies are known, to study.
    Study(Box<Study>),
}

/// A board on which both armies are known, with a player for each who knows no more than its side does.
///
/// Questions about the rules are answered from the truth; whatever is thought comes from a player.
#[derive(Clone, Debug)]
pub(crate) struct Study {
    truth: Position,
    players: BySide<Engine>,
}

impl Board {
    /// The start of a game of `side`, with what was reported of the enemy.
    pub(crate) fn start(rules: Ruleset, side: Side, setups: &BySide<Setup>) -> Board {
        let position = deployed(rules, setups);
        Board::from_spn(Spn { position, viewer: Viewer::Player(side) })
    }

    /// The start of a game with both armies known.
    pub(crate) fn study(rules: Ruleset, setups: &BySide<Setup>) -> Board {
        Board::from_spn(Spn { position: deployed(rules, setups), viewer: Viewer::Both })
    }

    /// The game a position text holds.
    pub(crate) fn from_spn(spn: Spn) -> Board {
        match spn.viewer {
            Viewer::Player(side) => Board::Player(Box::new(View::from_spn(&spn, side).into())),
            Viewer::Both => {
                let players = BySide::from_fn(|side| View::from_spn(&spn, side).into());
                Board::Study(Box::new(Study { truth: spn.position, players }))
            }
        }
    }

    /// The position by everything that was reported.
    pub(crate) fn position(&self) -> &Position {
        match self {
            Board::Player(player) => player.view().position(),
            Board::Study(study) => &study.truth,
        }
    }

    /// The player in whose name questions are answered: ours, or in a study that of the side to move.
    pub(crate) fn player(&self) -> &Engine {
        match self {
            Board::Player(player) => player,
            Board::Study(study) => &study.players[study.truth.to_move()],
        }
    }

    /// What that player was shown.
    pub(crate) fn view(&self) -> &View {
        self.player().view()
    }

    /// Everything that player goes by.
    pub(crate) fn known(&self) -> Known<'_> {
        self.player().known()
    }

    /// Lets the player to move know what a search found out about the last ply.
    pub(crate) fn learn(&mut self, found: &Evidence) {
        match self {
            Board::Player(player) => player.learn(found),
            Board::Study(study) => study.players[study.truth.to_move()].learn(found),
        }
    }

    /// Takes over what another telling of the game found out, as far as the games agree.
    pub(crate) fn inherit(&mut self, other: &Board) {
        match (self, other) {
            (Board::Player(player), Board::Player(other)) => player.inherit(other),
            (Board::Study(study), Board::Study(other)) => {
                study.players.iter_mut().for_each(|(side, player)| player.inherit(&other.players[side]));
            }
            (Board::Player(_), Board::Study(_)) | (Board::Study(_), Board::Player(_)) => {}
        }
    }

    /// Whose knowledge was reported.
    pub(crate) fn viewer(&self) -> Viewer {
        match self {
            Board::Player(player) => Viewer::Player(player.view().viewer()),
            Board::Study(_) => Viewer::Both,
        }
    }

    /// Everyone whose thoughts may be asked for.
    pub(crate) fn players(&self) -> &[Engine] {
        match self {
            Board::Player(player) => std::slice::from_ref(&**player),
            Board::Study(study) => study.players.as_array(),
        }
    }

    /// How the game ended, if what was reported shows that it has.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.position().ending()
    }

    /// Whether the ranks of the side to move are known.
    pub(crate) fn knows_mover(&self) -> bool {
        match self {
            Board::Player(player) => player.view().viewer() == player.view().position().to_move(),
            Board::Study(_) => true,
        }
    }

    /// Whether some whole army fits what was reported of the enemy.
    pub(crate) fn is_possible(&self) -> bool {
        match self {
            Board::Player(player) => Belief::is_possible(player.view()),
            Board::Study(_) => true,
        }
    }

    /// The text of the position.
    pub(crate) fn spn(&self) -> Spn {
        Spn { position: self.position().clone(), viewer: self.viewer() }
    }

    /// The move as the protocol writes it here, with `x` if it strikes.
    pub(crate) fn text(&self, action: Action) -> String {
        let position = self.position();
        let struck = position.piece_at(action.to).is_some_and(|id| id.side() != position.to_move());
        action.text(struck)
    }

    /// Makes a ply; on an error nothing has changed.
    pub(crate) fn play(&mut self, played: Played) -> Result<(), PlayError> {
        match self {
            Board::Player(engine) => engine.observe(&Event::Played(played)),
            Board::Study(study) => study.play(played),
        }
    }

    /// Forgets the oldest plies once twice as many as `count` were made here; the latest `count` are kept.
    pub(crate) fn keep_latest(&mut self, count: usize) {
        if self.position().history().len() < 2 * count {
            return;
        }
        match self {
            Board::Player(player) => player.keep_latest(count),
            Board::Study(study) => {
                study.truth.keep_latest(count);
                study.players.values_mut().for_each(|player| player.keep_latest(count));
            }
        }
    }

    /// Takes the last ply back; false if none was made here.
    pub(crate) fn undo(&mut self) -> bool {
        match self {
            Board::Player(player) => player.undo(),
            Board::Study(study) => {
                study.players.values_mut().for_each(|player| {
                    player.undo();
                });
                study.truth.undo()
            }
        }
    }
}

fn deployed(rules: Ruleset, setups: &BySide<Setup>) -> Position {
    let mut position = Position::new(rules);
    setups.iter().for_each(|(side, setup)| position.deploy(side, setup));
    position.settle();
    position
}

impl Study {
    fn play(&mut self, played: Played) -> Result<(), PlayError> {
        if played.action.rescue.is_some_and(|rescue| rescue.rank.is_none()) {
            return Err(NoRescue::Untold.into());
        }
        let mover = self.truth.to_move();
        self.truth.play(played)?;
        let Some(&known) = self.truth.history().last() else { return Err(PlayError::Reach) };
        let rules = *self.truth.rules();
        for side in Side::BOTH {
            let seen = mask_played(known, mover, side, &rules);
            if let Err(error) = self.players[side].observe(&Event::Played(seen)) {
                log::error!("{side}'s view refuses {seen}: {error}");
                self.truth.undo();
                if side == Side::Blue {
                    self.players[Side::Red].undo();
                }
                return Err(error);
            }
        }
        Ok(())
    }
}
