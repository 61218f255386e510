// Making elements. Text is set as text, never as HTML.

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

export const find = id => document.getElementById(id);

export function show(element, visible) {
  element.hidden = !visible;
}

// Replaces what is inside only if it differs, so that nothing flickers and screen readers announce news only.
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
