//! A learned model of what a piece's public history tells of its rank, whoever plays it.
//!
//! A net looks at one piece: where it began and stands, when it first moved, whom it went towards and fled, what
//! became of its neighbours ([`features`]). It was trained with the army's counts in the loss, so it says what to
//! multiply these with.

mod features;

use super::army_model::multiply;
use crate::belief::army_model::Weights;
use crate::belief::case::Case;
use crate::math;
use crate::net::{Error, Stack};
use crate::rules::{ByRank, Rank};
use crate::view::{HiddenArmy, View};
use features::FEATURES;
use std::sync::OnceLock;

/// What a feature of one becomes for the net.
const ONE: f32 = 256.0;
/// Parts of a nat in which the net answers.
const NAT: f32 = 1024.0;
/// The net of players of all kinds.
///
/// Source: 40 games of strong players that were published, and games of this engine and its policy networks, by
/// `tools/research/train/history.py` of commit b23e47a (docs/log/belief.md, "The history model on all strong games").
const GENERAL: &[u8] = include_bytes!("general.net");
/// The net of this engine's games against itself and its policy networks, by the same program.
const SELF_PLAY: &[u8] = include_bytes!("self_play.net");

/// A net that reads a piece's history.
#[derive(Clone, Debug)]
pub(super) struct HistoryNet {
    layers: Stack,
}

impl HistoryNet {
    /// Reads a net from the bytes of its file.
    ///
    /// # Errors
    /// If it is none, or one for other features.
    fn read(bytes: &[u8]) -> Result<HistoryNet, Error> {
        Ok(HistoryNet { layers: Stack::read(bytes, FEATURES, Rank::COUNT)? })
    }

    /// The net of players of all kinds; `None` if the program was built with a broken one.
    pub(super) fn general() -> Option<&'static HistoryNet> {
        static NET: OnceLock<Option<HistoryNet>> = OnceLock::new();
        NET.get_or_init(|| embedded(GENERAL)).as_ref()
    }

    /// The net of this engine's own play; `None` if the program was built with a broken one.
    pub(super) fn self_play() -> Option<&'static HistoryNet> {
        static NET: OnceLock<Option<HistoryNet>> = OnceLock::new();
        NET.get_or_init(|| embedded(SELF_PLAY)).as_ref()
    }

    /// How much each rank is favoured by these features ([`integers`]), in nats; only differences count.
    fn log_likelihoods(&self, features: Vec<i16>) -> ByRank<f32> {
        let output = self.layers.apply(features);
        ByRank::from_fn(|rank| f32::from(output[rank.index()]) / NAT)
    }
}

/// Features as nets take them.
fn integers(features: &[f32]) -> Vec<i16> {
    features.iter().map(|feature| math::rounded(feature * ONE)).collect()
}

fn embedded(bytes: &[u8]) -> Option<HistoryNet> {
    HistoryNet::read(bytes).inspect_err(|error| log::error!("the history model: {error}")).ok()
}

/// What a net says of one of the pieces.
pub(super) fn log_likelihoods_of(
    net: &HistoryNet,
    pieces: &HiddenArmy,
    view: &View,
    index: usize,
) -> ByRank<f32> {
    let mut numbers = vec![0.0; FEATURES];
    let (id, piece) = &pieces[index];
    features::write(view, &features::ArmyFeatures::new(view, pieces), *id, piece, &mut numbers);
    net.log_likelihoods(integers(&numbers))
}

/// Weighs the ranks of pieces by their history, as far as it is trusted.
pub(super) fn weigh(case: &Case<'_>, weights: &mut Weights) {
    let Some((net, own)) = HistoryNet::general().zip(HistoryNet::self_play()) else { return };
    let (view, trust) = (case.view(), &case.trust);
    let army = features::ArmyFeatures::new(view, case.army);
    let mut numbers = vec![0.0; FEATURES];
    for ((id, piece), weights) in case.army.iter().zip(weights) {
        if piece.ranks.len() > 1 {
            features::write(view, &army, *id, piece, &mut numbers);
            let features = integers(&numbers);
            multiply(weights, &trust.history(&net.log_likelihoods(features.clone())));
            multiply(weights, &trust.self_play(&own.log_likelihoods(features)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::rules::{Ruleset, Setup, Side, Square};

    #[test]
    fn the_nets_in_use_can_be_read_and_others_are_refused() {
        assert!(HistoryNet::general().is_some() && HistoryNet::self_play().is_some());
        assert!(HistoryNet::read(&GENERAL[..GENERAL.len() - 1]).is_err());
        assert_eq!(HistoryNet::read(b"no net").unwrap_err(), Error::NoNet);
    }

    /// The file of a square mirrored from left to right.
    fn mirrored(text: &str) -> String {
        let mirror = |letter| {
            if ('a'..='j').contains(&letter) { (b'a' + b'j' - letter as u8) as char } else { letter }
        };
        text.chars().map(mirror).collect()
    }

    fn view(side: Side, setup: &str, plies: &[String]) -> View {
        let mut view = View::new(side, Ruleset::default());
        view.observe(&Event::Deployed(side, setup.parse().unwrap())).unwrap();
        view.observe(&Event::Deployed(side.enemy(), Setup::HIDDEN)).unwrap();
        for ply in plies {
            view.observe(&Event::Played(ply.parse().unwrap())).unwrap();
        }
        view
    }

    /// The numbers of the enemy's piece on a square.
    fn numbers(view: &View, square: &str) -> Vec<f32> {
        let pieces = view.hidden_army();
        let square: Square = square.parse().unwrap();
        let (id, piece) = pieces.iter().find(|(_, piece)| piece.square == Some(square)).unwrap();
        let mut numbers = vec![0.0; FEATURES];
        features::write(view, &features::ArmyFeatures::new(view, &pieces), *id, piece, &mut numbers);
        numbers
    }

    const SETUP: &str = "4532B2BF5BBB37S6362339M7224875466B852224";
    const GAME: [&str; 8] = ["a4a5", "b7b6", "a5a6", "b6b5", "e4e5", "b5b6", "e5e6", "b6a6"];

    #[test]
    fn left_and_right_are_the_same() {
        let rows: Vec<String> =
            (0..4).map(|row| SETUP[row * 10..row * 10 + 10].chars().rev().collect()).collect();
        let game: Vec<String> = GAME[..7].iter().map(|ply| (*ply).to_owned()).collect();
        let straight = view(Side::Red, SETUP, &game);
        let mirror: Vec<String> = game.iter().map(|ply| mirrored(ply)).collect();
        let mirror = view(Side::Red, &rows.concat(), &mirror);
        for square in ["b6", "c7", "a10", "f8"] {
            assert_eq!(numbers(&straight, square), numbers(&mirror, &mirrored(square)), "{square}");
        }
    }

    #[test]
    fn a_piece_that_walks_has_other_numbers_than_one_that_stands() {
        let game: Vec<String> = GAME[..7].iter().map(|ply| (*ply).to_owned()).collect();
        let view = view(Side::Red, SETUP, &game);
        let (walks, stands) = (numbers(&view, "b6"), numbers(&view, "c7"));
        assert!(walks != stands && walks.iter().chain(&stands).all(|number| number.abs() < 20.0));
    }
}
