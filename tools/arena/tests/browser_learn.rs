//! Learning from mistakes on the page of a game; a part of what `browser` does there.

use outflank_browser::Page;
use serde_json::json;

/// Each costly action is a question, as its side knew the game: by clicks, dragging, fingers and keys.
pub(crate) fn learning(page: &mut Page) {
    judges_by_own_knowledge(page);
    page.value("see(TRUTH)");
    page.click("[data-learn='0']");
    let count = page.value("questionsOf(0).length").as_u64().unwrap();
    assert!(count >= 4, "{count}");
    assert_eq!(page.value("[state.eyes, state.ply === questionPly() - 1, isOpen()]"), json!([0, true, true]));
    // First what was a mistake, as it was made, then the costliest of the rest; and the question is in sight.
    let order = "(([mistakes, rest]) => mistakes.every((ply, at) => !at || mistakes[at - 1] < ply) &&
        rest.every((ply, at) => !at || lossOf(rest[at - 1]) >= lossOf(ply)) &&
        String([...mistakes, ...rest]) === String(lesson.plies))(
        [true, false].map(worth => lesson.plies.filter(ply => lossOf(ply) >= WORTH === worth)))";
    assert_eq!(page.value(order), true);
    let seen = "['#lesson-title', '#lesson-text p'].every(part => {
        const { top, bottom } = document.querySelector(part).getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
    })";
    assert_eq!(page.value(seen), true);
    // The action played is no answer; it may be tried again, and then the better one by keys.
    let (from, to) = squares(page, "data.moves[questionPly() - 1]");
    page.click(&from);
    assert_eq!(page.value("goals().size === document.querySelectorAll('#board .goal').length"), true);
    page.inspect("replay-question");
    page.click(&to);
    assert!(
        lesson(page).contains("was played: the ") && lesson(page).contains("Try again"),
        "{}",
        lesson(page)
    );
    assert_eq!(page.value("document.querySelectorAll('#board .arrow.worse').length"), 1);
    page.inspect("replay-tried");
    by_keys(page);
    assert!(lesson(page).contains("Right: ") && lesson(page).contains(" It is worth "));
    assert_eq!(page.value("document.querySelectorAll('#board .arrow.better').length"), 1);
    page.inspect("replay-learned");
    page.tab_to("#lesson-buttons button");
    page.key("Enter");
    // By dragging, and looking elsewhere meanwhile.
    page.key("End");
    page.click("#lesson-buttons .main");
    let (from, to) = squares(page, "searched(questionPly()).other.better");
    page.drag(&from, &to);
    assert!(lesson(page).contains("Right: "), "{}", lesson(page));
    page.click("#lesson-buttons .main");
    // With a finger.
    let (from, to) = squares(page, "searched(questionPly()).other.better");
    page.tap_until(&from, "goals().size > 0");
    page.tap_until(&to, "lesson.ends[2] === 'right'");
    page.click("#lesson-buttons .main");
    page.click("#lesson-buttons button");
    assert!(lesson(page).contains("The engine would have played "), "{}", lesson(page));
    page.click("#lesson-buttons .main");
    for _ in 4..count {
        page.click("#lesson-buttons button:nth-child(2)");
    }
    let lesson_text = lesson(page);
    let skipped = if count > 4 { format!(", {} skipped", count - 4) } else { String::new() };
    assert!(
        lesson_text.contains(&format!("2 found at once, 1 found later, 1 shown to you{skipped}.")),
        "{lesson_text}"
    );
    page.inspect("replay-lesson-end");
    page.click("#lesson-buttons button:last-child");
    assert_eq!(page.value("[lesson.side, find('lesson').hidden]"), json!([-1, true]));
}

/// What is said of an action is the same when nothing is known of the enemy's view, and whatever was played or is better can
/// be tried.
fn judges_by_own_knowledge(page: &mut Page) {
    let wrong = page.value(
        "[0, 1].flatMap(side => {
            const solutions = () => questionsOf(side).map(ply => betterWords(ply) + playedWords(ply));
            const whole = solutions(), kept = views[1 - side];
            views[1 - side] = {};
            const own = solutions();
            views[1 - side] = kept;
            const tried = questionsOf(side).flatMap(ply => {
                const { better, alike = [] } = searched(ply).other;
                return [data.moves[ply - 1], better, ...alike].map(readMove).filter(({ from, to }) =>
                    !targetsOf(pieceAt(squareAt(from), ply - 1), ply - 1).has(squareAt(to)));
            });
            return [...tried, ...whole.filter((text, index) => text !== own[index] || /undefined|NaN/.test(text))];
        })",
    );
    assert_eq!(wrong, json!([]));
}

/// Where a piece stands and where it goes by an action that the page knows.
fn squares(page: &mut Page, action: &str) -> (String, String) {
    let found = page.value(&format!("(({{ from, to }}) => [from, to])(readMove({action}))"));
    let at = |index: usize| format!("#board [data-at='{}'].cell", found[index].as_str().unwrap());
    (at(0), at(1))
}

/// Plays the better action by keys, from the cell that has the focus.
fn by_keys(page: &mut Page) {
    let (from, to) = squares(page, "searched(questionPly()).other.better");
    for cell in [from, to] {
        page.value(&format!(
            "document.activeElement.matches('.cell') || document.querySelector(\"{cell}\").focus()"
        ));
        let goal = page.value(&format!("document.querySelector(\"{cell}\").dataset.at"));
        walk(page, goal.as_str().unwrap());
        page.key("Enter");
    }
}

fn lesson(page: &mut Page) -> String {
    page.value("find('lesson-text').textContent").as_str().unwrap().to_owned()
}

/// Walks from the focus to a square on a board that is not turned.
pub(crate) fn walk(page: &mut Page, at: &str) {
    let here = page.value("document.activeElement.dataset.at");
    let place = |at: &str| (i32::from(at.as_bytes()[0]), at[1..].parse::<i32>().unwrap());
    let ((file, row), (to_file, to_row)) = (place(here.as_str().unwrap()), place(at));
    let across = if to_file > file { "ArrowRight" } else { "ArrowLeft" };
    let along = if to_row > row { "ArrowUp" } else { "ArrowDown" };
    (0..(to_file - file).abs()).for_each(|_| page.key(across));
    (0..(to_row - row).abs()).for_each(|_| page.key(along));
    assert_eq!(page.value("document.activeElement.dataset.at"), at);
}
