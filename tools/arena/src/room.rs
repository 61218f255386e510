//! How many games this process has room for at once.

use crate::contender::{Contender, Home};
use crate::engine::{FILES, FILES_OF_A_START};
use crate::plan::Plan;
use anyhow::ensure;
use outflank_record::console::complain;

/// The games to play at once of those that are asked for: fewer, with a word about it, where this process may not open
/// files enough.
///
/// # Errors
/// If there is no room for a single game.
pub fn games_at_once<'a>(asked: usize, plans: impl IntoIterator<Item = &'a Plan>) -> anyhow::Result<usize> {
    let plans: Vec<&Plan> = plans.into_iter().collect();
    let Some(limit) = most_files() else { return Ok(asked) };
    let taken = plans.iter().map(|plan| FILES * processes(&plan.contenders)).max().unwrap_or(0);
    let games = plans.iter().map(|plan| plan.count()).max().unwrap_or(0);
    let fits = fitting(limit, open_files(), taken);
    ensure!(
        fits > 0,
        "no game has room: it takes {taken} open files, and this process may open {limit} in all"
    );
    let wanted = games.min(asked as u64);
    if fits < wanted {
        complain(format_args!(
            "{fits} games at once, not {wanted}: each takes {taken} open files, and this process may open {limit} in all \
             (ulimit -n)"
        ));
    }
    Ok(usize::try_from(fits).map_or(asked, |fits| fits.min(asked)))
}

/// Processes that a game has, at most.
fn processes(contenders: &[Contender]) -> u64 {
    let count = contenders.iter().filter(|contender| matches!(contender.home, Home::Process(_))).count();
    count.min(2) as u64
}

/// Games that fit when each takes so many files.
fn fitting(limit: u64, open: u64, taken: u64) -> u64 {
    limit.saturating_sub(open + FILES_OF_A_START).checked_div(taken).unwrap_or(u64::MAX)
}

/// How many files this process may have open; `None` if nothing limits it.
#[cfg(unix)]
fn most_files() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
fn most_files() -> Option<u64> {
    None
}

/// How many it has open.
fn open_files() -> u64 {
    /// Where the system does not tell.
    const USUAL: usize = 16;
    std::fs::read_dir("/dev/fd").map_or(USUAL, Iterator::count) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_fit_where_their_files_do() {
        assert_eq!(fitting(1024, 8, 8), 125);
        assert_eq!(fitting(20, 8, 8), 0);
        assert_eq!(fitting(20, 8, 0), u64::MAX);
    }
}
