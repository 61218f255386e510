[...document.querySelectorAll('#board .piece')].flatMap(piece => {
    const [letter, emblem, face, dot] = ['.rank', '.emblem', '.face', '.dot'].map(part => piece.querySelector(part));
    if (!letter) return emblem || face ? ['a face of an unknown piece'] : [];
    const name = letter.textContent, [whole, inner, line] = [piece, face, letter].map(part =>
        part.getBoundingClientRect());
    const scale = whole.width / 100, middle = (line.top + line.bottom) / 2;
    const [x, y, across, along] = ['x', 'y', 'width', 'height'].map(key => scale * emblem.getAttribute(key));
    const drawing = { left: whole.left + x, right: whole.left + x + across, top: whole.top + y,
        bottom: whole.top + y + along };
    const high = 0.37 * scale * parseFloat(getComputedStyle(letter).fontSize);
    const text = { left: line.left, right: line.right, top: middle - high, bottom: middle + high };
    const runs = ({ left, right, top, bottom }) =>
        left < inner.left || right > inner.right || top < inner.top || bottom > inner.bottom;
    const meets = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom
        && other.top < one.bottom;
    const what = [];
    for (const [part, box] of [['letter', text], ['emblem', drawing]]) {
        if (runs(box)) what.push(`the ${part} of ${name} runs out of the face: ${JSON.stringify([box, inner])}`);
        if (dot && meets(box, dot.getBoundingClientRect())) what.push(`the ${part} of ${name} runs into the dot`);
    }
    if (meets(text, drawing)) what.push(`the letter and the emblem of ${name} meet`);
    if (across < 10) what.push(`the emblem of ${name} is too small`);
    if (getComputedStyle(emblem).fill !== getComputedStyle(letter).fill) what.push(`two colours of ${name}`);
    return what; })
