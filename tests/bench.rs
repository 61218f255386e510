//! `bench` shows a small change of any tuned number: its signature is another one.

use crate::host::TUNED;
use std::process::Command;

/// With fewer nodes nobody thinks about the enemy's last move.
const ENOUGH: &str = "1500";

/// Parts whose numbers show in no game of the bench: it has no clock and no level, and its setups are given.
const UNSEEN_PARTS: [&str; 2] = ["clock.", "deployment."];
/// Numbers that show in none, or not with so few nodes.
const UNSEEN: [&str; 46] = [
    "belief.coupling",
    "belief.still_power",
    "belief.stood_lasting",
    "belief.proven",
    "belief.bait_guard",
    "eval.spy_without_target",
    "eval.unbeaten",
    "eval.miner_without_bombs",
    "eval.hidden_value.F",
    "eval.most_attack_incentive",
    "eval.most_incentive",
    "eval.unlikely",
    "eval.may_stop",
    "eval.may_stop_middle",
    "eval.may_stop_strong",
    "search.very_late",
    "search.negligible",
    "search.quiescence_profit",
    "search.great_lead_half_life",
    "search.few_pieces",
    "search.rescued_ranks",
    "search.strike_bonus_from",
    "search.bomb_charge_from",
    "search.unlikely_step",
    "search.unlikely_scout",
    "search.unlikely_at_flag",
    "search.great_lead",
    "search.ahead",
    "search.standstill",
    "search.incentive_per_ply",
    "search.most_incentive",
    "search.decay_plies",
    "search.most_decay",
    "search.fewest_nodes",
    "search.more_nodes",
    "search.least_noise",
    "search.more_noise",
    "search.level_temperature",
    "search.level_policy_floor",
    // It shows with 10,000: hardly an action is so many nats less likely than the favourite.
    "search.policy_floor",
    "search.returning",
    "search.inference_least_ms",
    "search.inference_least_nodes",
    "search.inference_most_nodes",
    "search.inference_bystanders",
    "search.inference_unlikely",
];

/// A tuned number as `params` prints it.
struct Number {
    name: String,
    given: f64,
    most: f64,
    whole: bool,
}

impl Number {
    fn read(line: &str) -> Number {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, given, _, most, kind] = words[..] else { panic!("{line}") };
        let number = |text: &str| text.parse().unwrap();
        Number { name: name.to_owned(), given: number(given), most: number(most), whole: kind == "whole" }
    }

    /// A little greater than it is, or less where it is the greatest, as the engine takes it.
    fn changed(&self) -> String {
        let more = match self.given {
            given if self.whole => given + (given / 20.0).ceil().max(1.0),
            // Off until it is set: a twentieth of nothing is nothing.
            0.0 => self.most / 20.0,
            given => given * 1.05,
        };
        let changed = if self.given < self.most { more.min(self.most) } else { 2.0 * self.given - more };
        format!("{}={changed}", self.name)
    }

    /// Whether a game of the bench depends on it.
    fn shows(&self) -> bool {
        !UNSEEN.contains(&self.name.as_str()) && !UNSEEN_PARTS.iter().any(|part| self.name.starts_with(part))
    }
}

/// What the engine prints for these arguments with these numbers.
fn printed(arguments: &[&str], numbers: &str) -> String {
    let output = Command::new(&*TUNED).args(arguments).env("OUTFLANK_PARAMS", numbers).output().unwrap();
    assert!(output.status.success(), "{numbers}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn signature(numbers: &str) -> String {
    let text = printed(&["bench", ENOUGH], numbers);
    text.trim_end().rsplit_once(" signature ").unwrap().1.to_owned()
}

#[test]
#[ignore = "a soak of minutes, with a build of its own"]
fn soak_a_small_change_of_any_number_changes_the_signature() {
    let plain = signature("");
    assert_eq!(plain, signature(""));
    let numbers: Vec<Number> = printed(&["params"], "").lines().map(Number::read).collect();
    for name in UNSEEN {
        assert!(numbers.iter().any(|number| number.name == name), "{name} is no number any more");
    }
    let unseen = numbers.iter().filter(|number| number.shows() && signature(&number.changed()) == plain);
    let unseen: Vec<&str> = unseen.map(|number| number.name.as_str()).collect();
    assert!(numbers.len() > 200 && unseen.is_empty(), "{unseen:?}");
}
