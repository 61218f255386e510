//! What a hint shows on the page; a part of what `browser` plays there.

use outflank_browser::Page;

/// An arrow shows the hint, its text has a reason, and the danger if there is one.
pub(crate) fn hint_teaches(page: &mut Page, text: &str) {
    let given = page
        .value("fetch(location.pathname + '/state').then(answer => answer.json()).then(state => state.hint)");
    let action = given["action"].as_str().unwrap();
    let reasons = ["What speaks for it: ", "It is likeliest a ", "no single reason"];
    assert!(reasons.iter().any(|words| text.contains(words)), "{text}");
    assert_eq!(text.contains("The danger: "), !given["danger"].is_null(), "{text}, {given}");
    assert_eq!(text.contains("the strike wins "), !given["struck"].is_null(), "{text}, {given}");
    let found = page.value(&format!(
        "(() => {{ const {{ from, to }} = /^(?<from>[a-j]\\d+)x?(?<to>[a-j]\\d+)/.exec('{action}').groups;
            const box = element => element.getBoundingClientRect();
            const square = at => box(document.querySelector(`#board [data-at='${{at}}']`));
            const arrow = box(document.querySelector('#board .arrow')), [start, end] = [from, to].map(square);
            const inside = (one, low, high) => one > low - 2 && one < high + 2;
            return inside(arrow.left, Math.min(start.left, end.left), Math.max(start.right, end.right))
                && inside(arrow.right, Math.min(start.left, end.left), Math.max(start.right, end.right))
                && inside(arrow.top, Math.min(start.top, end.top), Math.max(start.bottom, end.bottom))
                && inside(arrow.bottom, Math.min(start.top, end.top), Math.max(start.bottom, end.bottom))
                && Math.max(arrow.width, arrow.height) > start.width / 2; }})()"
    ));
    assert_eq!(found, true, "{action}");
}
