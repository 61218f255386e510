//! A game between a person and the engine, judged by the referee.

use anyhow::Context;
use outflank::engine::{Control, Engine, Settings, Stopwatch, choose_setup};
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{Action, BySide, Ending, Played, Position, Ruleset, Setup, Side};
use outflank::search::{Budget, Choice, Level};
use outflank_record::truth;
use outflank_referee::{Events, Referee, Refusal};
use std::sync::atomic::AtomicBool;

/// What a game is played by.
#[derive(Copy, Clone, Debug)]
pub struct Terms {
    /// The rule system.
    pub rules: Ruleset,
    /// The person's side.
    pub person: Side,
    /// How strong the engine plays.
    pub level: Level,
    /// How long it thinks about an action.
    pub budget: Budget,
    /// Seeds its choices.
    pub seed: u64,
}

/// How a game ended.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum End {
    /// By the rules.
    Ruled(Ending),
    /// The person gave up.
    Resigned,
}

/// Streams of the seed: the engine's setup comes from this one, the person's automatic ones from those after it.
const ENGINE_SETUP: u64 = 0;

/// A game.
pub struct Game {
    terms: Terms,
    setups: BySide<Setup>,
    referee: Referee,
    /// Plays against the person.
    opponent: Engine,
    /// Is shown what the person is shown.
    adviser: Engine,
    /// Every ply with its whole result, and the nodes that were searched for it.
    plies: Vec<(Played, u64)>,
    /// Every ply as the person saw it.
    seen: Vec<Played>,
    resigned: bool,
}

impl Game {
    /// A game at its start; the engine chooses its own army.
    ///
    /// # Errors
    /// If the person's is not a whole one.
    pub fn new(terms: Terms, own: &Setup) -> anyhow::Result<Game> {
        let other = choose_setup(&terms.rules, None, &mut Rng::stream(terms.seed, ENGINE_SETUP));
        let setups = BySide::from_fn(|side| if side == terms.person { *own } else { other });
        Game::restore(terms, setups, &[])
    }

    /// A game in which these plies have been made, with the nodes searched for each.
    ///
    /// # Errors
    /// If an army is not whole or a ply not legal.
    pub fn restore(terms: Terms, setups: BySide<Setup>, plies: &[(Action, u64)]) -> anyhow::Result<Game> {
        let referee = Referee::new(terms.rules, &setups[Side::Red], &setups[Side::Blue])?;
        let Terms { rules, person, level, seed, .. } = terms;
        let player = |side, level| Engine::new(side, rules, Settings { seed, level, ..Settings::default() });
        let (opponent, adviser) = (player(person.enemy(), level), player(person, Level::FULL));
        let (seen, resigned) = (Vec::new(), false);
        let mut game = Game { terms, setups, referee, opponent, adviser, plies: Vec::new(), seen, resigned };
        for events in game.referee.opening() {
            game.show(&events)?;
        }
        for (ply, &(action, nodes)) in plies.iter().enumerate() {
            game.make(action, nodes)?.with_context(|| format!("ply {}: {}", ply + 1, action.text(false)))?;
        }
        Ok(game)
    }

    /// What it is played by.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Both armies at the start.
    pub const fn setups(&self) -> &BySide<Setup> {
        &self.setups
    }

    /// Every ply with its whole result, and the nodes that were searched for it.
    pub fn plies(&self) -> &[(Played, u64)] {
        &self.plies
    }

    /// Every ply as the person saw it.
    pub fn seen(&self) -> &[Played] {
        &self.seen
    }

    /// The player who is shown what the person is shown.
    pub const fn adviser(&self) -> &Engine {
        &self.adviser
    }

    /// Whether the person is to move.
    pub fn is_persons_turn(&self) -> bool {
        self.referee.to_move() == self.terms.person
    }

    /// The legal actions of the person at its turn.
    pub fn legal(&self) -> Vec<Action> {
        self.adviser.view().position().actions()
    }

    /// How it ended, if it has.
    pub fn end(&self) -> Option<End> {
        if self.resigned { Some(End::Resigned) } else { self.referee.ending().map(End::Ruled) }
    }

    /// The person gives up.
    pub const fn resign(&mut self) {
        self.resigned = true;
    }

    /// Makes an action of the person; what the person sees of it.
    ///
    /// # Errors
    /// The outer one is a fault of the program; the inner one says why the action is refused.
    pub fn play(&mut self, action: Action) -> anyhow::Result<Result<Played, Refusal>> {
        self.make(action, 0)
    }

    /// Lets the engine act at its turn, with what it has found when `stop` is set; what the person sees of it.
    ///
    /// # Errors
    /// If it finds no action that the referee takes: a fault of the program.
    pub fn answer(&mut self, stop: &AtomicBool) -> anyhow::Result<Played> {
        let choice = think(&mut self.opponent, self.terms.budget, stop);
        let action = choice.action.context("the engine finds no action")?;
        Ok(self.make(action, choice.nodes)??)
    }

    /// What the engine would do in the person's place, knowing what the person knows; what it has found when `stop` is
    /// set.
    pub fn hint(&mut self, stop: &AtomicBool) -> Choice {
        think(&mut self.adviser, self.terms.budget, stop)
    }

    /// Takes back the person's last ply and the engine's answer; false if there are none.
    ///
    /// # Errors
    /// If the game before cannot be built again: a fault of the program.
    pub fn undo(&mut self) -> anyhow::Result<bool> {
        let Some(kept) = self.plies.len().checked_sub(2) else { return Ok(false) };
        self.plies.truncate(kept);
        self.seen.truncate(kept);
        self.referee = Referee::new(self.terms.rules, &self.setups[Side::Red], &self.setups[Side::Blue])?;
        for (played, _) in &self.plies {
            self.referee.play(played.action)?;
        }
        for player in [&mut self.opponent, &mut self.adviser] {
            // What they found out stays for the case that the same is played again.
            anyhow::ensure!(player.undo() && player.undo(), "a player cannot take plies back");
        }
        Ok(true)
    }

    /// The person's view of the board with every rank known: for the end of the game.
    ///
    /// # Errors
    /// If the game cannot be built again: a fault of the program.
    pub fn revealed(&self) -> anyhow::Result<Engine> {
        let mut position = Position::new(self.terms.rules);
        self.setups.iter().for_each(|(side, setup)| position.deploy(side, setup));
        for (played, _) in &self.plies {
            position.play(*played)?;
        }
        let mut view = self.adviser.view().clone();
        for (id, piece) in position.pieces(self.terms.person.enemy()) {
            anyhow::ensure!(view.tell(id, piece.ranks), "the person was shown something else");
        }
        Ok(Engine::from(view))
    }

    fn make(&mut self, action: Action, nodes: u64) -> anyhow::Result<Result<Played, Refusal>> {
        let mover = self.referee.to_move();
        let events = match self.referee.play(action) {
            Ok(events) => events,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let played = truth(&events, mover).context("the referee reported no ply")?;
        self.plies.push((played, nodes));
        self.show(&events)?;
        match events[self.terms.person] {
            Event::Played(seen) => {
                self.seen.push(seen);
                Ok(Ok(seen))
            }
            Event::Deployed(..) => anyhow::bail!("the referee reported no ply"),
        }
    }

    fn show(&mut self, events: &Events) -> anyhow::Result<()> {
        let person = self.terms.person;
        self.adviser.observe(&events[person])?;
        Ok(self.opponent.observe(&events[person.enemy()])?)
    }
}

fn think(player: &mut Engine, budget: Budget, stop: &AtomicBool) -> Choice {
    player.think(&budget.into(), Control::new(&Stopwatch::start(), stop), &mut |_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course;
    use outflank::protocol::{Style, for_people};
    use outflank::rules::{Rank, Square};

    /// Never set.
    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn terms(rules: Ruleset, person: Side) -> Terms {
        let budget = Budget { nodes: Some(60), ..Budget::default() };
        Terms { rules, person, level: Level::new(3).unwrap(), budget, seed: 5 }
    }

    fn begun(person: Side, turns: usize) -> Game {
        let terms = terms(Ruleset::default(), person);
        let own = choose_setup(&terms.rules, None, &mut Rng::stream(9, 9));
        let mut game = Game::new(terms, &own).unwrap();
        let mut rng = Rng::new(4);
        for _ in 0..turns {
            if !game.is_persons_turn() {
                game.answer(&GO_ON).unwrap();
            }
            let legal = game.legal();
            game.play(legal[rng.below(legal.len())]).unwrap().unwrap();
            game.answer(&GO_ON).unwrap();
        }
        game
    }

    /// All that a person can be shown at this point.
    fn shown(game: &mut Game) -> Vec<String> {
        let mut lines = for_people::board(game.adviser(), "", "", Style::default());
        for rank in Rank::ALL {
            lines.extend(for_people::heat_map(game.adviser(), rank, Style::default()));
        }
        lines.extend(
            Square::all().step_by(5).filter_map(|at| for_people::explain_piece(game.adviser(), at)).flatten(),
        );
        lines.push(format!("{:?}", game.legal()));
        lines.extend(course::moves(game).into_iter().chain(course::losses(game)));
        let hint = game.hint(&GO_ON);
        lines.push(format!("{:?} {:?}", hint.action, hint.score));
        lines
    }

    /// How many swaps are tried: each takes a while.
    const MOST_SWAPS: usize = 4;

    /// Two pieces of the engine's that have done nothing yet change places behind the person's back.
    #[test]
    fn nothing_that_a_person_is_shown_depends_on_hidden_ranks() {
        let mut game = begun(Side::Red, 12);
        let engine = Side::Blue;
        let hidden: Vec<usize> = game
            .adviser()
            .view()
            .position()
            .pieces(engine)
            .filter(|(_, piece)| !piece.moved && piece.is_alive() && piece.ranks.single().is_none())
            .map(|(id, _)| id.number())
            .collect();
        let plies: Vec<(Action, u64)> = game.plies().iter().map(|(played, _)| (played.action, 0)).collect();
        let expected = shown(&mut game);
        let mut swapped = 0;
        // Neighbours, and pieces far apart.
        for (first, second) in
            hidden.iter().zip(hidden.iter().skip(1)).chain(hidden.iter().zip(hidden.iter().rev()))
        {
            let mut setups = *game.setups();
            if setups[engine].0[*first] == setups[engine].0[*second] || swapped == MOST_SWAPS {
                continue;
            }
            setups[engine].0.swap(*first, *second);
            let mut other = Game::restore(*game.terms(), setups, &plies).unwrap();
            assert_ne!(other.setups(), game.setups());
            assert_eq!(shown(&mut other), expected, "{first} {second}");
            swapped += 1;
        }
        assert_eq!(swapped, MOST_SWAPS);
    }

    #[test]
    fn what_is_taken_back_is_as_if_it_had_never_been() {
        for person in Side::BOTH {
            let mut game = begun(person, 6);
            let spn = |game: &Game| {
                let position = game.adviser().view().position();
                (position.hash(), position.ply(), game.legal())
            };
            let before = spn(&game);
            let first = game.legal()[0];
            game.play(first).unwrap().unwrap();
            game.answer(&GO_ON).unwrap();
            assert_ne!(spn(&game), before);
            assert!(game.undo().unwrap() && game.is_persons_turn());
            assert_eq!(spn(&game), before);
            game.play(first).unwrap().unwrap();
            while game.plies().len() >= 2 {
                assert!(game.undo().unwrap());
            }
            assert!(!game.undo().unwrap());
        }
    }

    #[test]
    fn at_the_end_every_rank_is_shown() {
        let mut game = begun(Side::Blue, 3);
        game.resign();
        assert_eq!(game.end(), Some(End::Resigned));
        let revealed = game.revealed().unwrap();
        assert!(revealed.view().enemies().all(|(_, piece)| piece.ranks.single().is_some()));
    }

    #[test]
    fn the_moves_so_far_go_back_with_what_is_taken_back() {
        let mut game = begun(Side::Red, 5);
        let plies = game.plies().len();
        assert_eq!((game.seen().len(), course::moves(&game).len()), (plies, 1 + plies / 2));
        assert!(game.undo().unwrap());
        assert_eq!((game.seen().len(), course::moves(&game).len()), (plies - 2, plies / 2));
    }

    #[test]
    fn an_engine_that_is_stopped_at_once_acts_and_advises_all_the_same() {
        let stop = AtomicBool::new(true);
        for level in [1, 7, 20].map(|number| Level::new(number).unwrap()) {
            let terms = Terms { level, budget: Budget::default(), ..terms(Ruleset::default(), Side::Blue) };
            let own = choose_setup(&terms.rules, None, &mut Rng::stream(9, 9));
            let mut game = Game::new(terms, &own).unwrap();
            game.answer(&stop).unwrap();
            assert!(game.hint(&stop).action.is_some_and(|action| game.legal().contains(&action)));
        }
    }
}
