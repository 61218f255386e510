//! Who was ahead in a recorded game, and how often that changed.

use outflank::rules::Rank;
use outflank_pages::curve::points_of;
use outflank_record::Record;

/// How often the lead in material changed sides, by the truth.
pub(super) fn turns(record: &Record) -> usize {
    let (mut lead, mut ahead, mut turns) = (0, 0, 0);
    for (ply, text) in record.moves.iter().enumerate() {
        let gain = gain(text);
        lead += if ply % 2 == 0 { gain } else { -gain };
        if lead.signum() == -ahead && ahead != 0 {
            turns += 1;
        }
        ahead = if lead == 0 { ahead } else { lead.signum() };
    }
    turns
}

/// The points that an action wins for its side: what it takes and brings back, less what it loses.
fn gain(text: &str) -> i32 {
    let points = |letter: Option<char>| letter.and_then(Rank::from_letter).map_or(0, points_of);
    let (action, result) = text.split_once('=').unwrap_or((text, ""));
    let mut result = result.chars();
    let (outcome, striker, defender) = (result.next(), points(result.next()), points(result.next()));
    let back = || action.split_once('+').map_or(0, |(_, back)| points(back.chars().next()));
    match outcome {
        Some('W') => defender + back(),
        Some('L') => -striker,
        Some('T') => defender - striker,
        _ => back(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_gains_what_it_takes_and_brings_back() {
        assert_eq!(gain("a4a5"), 0);
        assert_eq!(gain("a4xa5=W32"), points_of(Rank::Scout));
        assert_eq!(gain("a4xa5=L3M"), -points_of(Rank::Miner));
        assert_eq!(gain("a4xa5=T44"), 0);
        assert_eq!(gain("b9b10+9@c2"), points_of(Rank::General));
        assert_eq!(gain("b9xb10+9@c2=L4B"), -points_of(Rank::Sergeant));
    }
}
