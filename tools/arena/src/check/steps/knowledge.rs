//! Beliefs: shares that add up, of ranks that can be.

use super::super::host::Host;
use super::super::talk::{Step, Talk, Trouble, ensure, first_word, shown, summary};
use super::super::truth::Truth;
use outflank::rng::Rng;
use outflank::rules::{ByRank, Rank, Ruleset, Side};

pub(super) fn belief(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    let mut rng = Rng::new(61);
    let mut lines = 0;
    for plies in [0, 40, 100] {
        let mut truth = Truth::random(Ruleset::default(), &mut rng);
        truth.wander(plies, &mut rng);
        for line in truth.lines(Side::Red, false) {
            talk.tell(&line)?;
        }
        let answers = talk.ask("belief")?;
        if answers.iter().any(|answer| answer.starts_with("error unknown")) {
            return Err(Trouble::Skipped("it has no belief".to_owned()));
        }
        let hidden = truth.hidden_from(Side::Red);
        ensure(answers.len() == hidden.len(), || {
            format!("{} enemy pieces are hidden, not: {}", hidden.len(), summary(&answers))
        })?;
        for ((square, rank), answer) in hidden.iter().zip(&answers) {
            one(answer, square, *rank)?;
        }
        lines += answers.len();
    }
    talk.refused("belief e5e6")?;
    empty(talk)?;
    Ok(format!("{lines} lines"))
}

fn empty(talk: &mut Talk) -> Step {
    talk.tell("newgame\nposition 9Y/10/10/10/2__2__2/2__2__2/10/D9/10/9M r - -,- 0 0")?;
    let code = talk.refused("belief e5")?;
    ensure(code == "empty", || format!("the error's code is empty, not {code}"))
}

/// One line: the square, whether it moved, twelve shares of a million, one for the true rank.
fn one(answer: &str, square: &str, truth: Rank) -> Step {
    let words: Vec<&str> = answer.split(' ').collect();
    let form = || format!("belief {square} moved|still and twelve shares are due, not: {}", shown(answer));
    let [_, place, moved, shares @ ..] = words.as_slice() else {
        return ensure(false, form);
    };
    let named = first_word(answer) == "belief" && *place == square && ["moved", "still"].contains(moved);
    let numbers: Option<Vec<u32>> = Rank::ALL
        .into_iter()
        .zip(shares.chunks(2))
        .map(|(rank, pair)| match pair {
            [letter, share] if *letter == rank.to_string() => share.parse().ok(),
            _ => None,
        })
        .collect();
    let numbers = numbers.filter(|_| named && shares.len() == 24).and_then(|numbers| numbers.try_into().ok());
    let Some(numbers) = numbers.map(ByRank::new) else { return ensure(false, form) };
    let sum: u64 = numbers.values().map(|&number| u64::from(number)).sum();
    ensure(sum == 1_000_000, || format!("shares sum to a million, these to {sum}: {}", shown(answer)))?;
    ensure(numbers[truth] > 0, || {
        format!("{square} is a {truth}, as it may well be, and gets no share: {}", shown(answer))
    })
}
