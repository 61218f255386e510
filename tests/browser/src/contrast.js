(() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const ink = canvas.getContext("2d", { willReadFrequently: true });
  // Red, green, blue of 0 to 255 and opacity of 0 to 1, of any colour that the browser knows; a page has few.
  const known = new Map(), backs = new Map();
  const read = colour => {
    if (!known.has(colour)) known.set(colour, drawn(colour));
    return known.get(colour);
  };
  const drawn = colour => {
    ink.clearRect(0, 0, 1, 1);
    ink.fillStyle = colour;
    ink.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = ink.getImageData(0, 0, 1, 1).data;
    return { rgb: [red, green, blue], alpha: alpha / 255 };
  };
  const over = (top, below) => top.rgb.map((value, i) => value * top.alpha + below[i] * (1 - top.alpha));
  const behind = element => {
    if (!backs.has(element)) backs.set(element, mixed(element));
    return backs.get(element);
  };
  const mixed = element => {
    if (!element) return read(getComputedStyle(document.documentElement).colorScheme.includes("dark")
      && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff").rgb;
    const own = read(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.rgb : over(own, behind(element.parentElement));
  };
  const light = rgb => rgb.map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim()).join(" ");
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (!text.trim() || box.width < 2 || box.height < 2 || style.visibility !== "visible") continue;
    if (element.closest("[hidden], :disabled, .unseen, details:not([open]) > :not(summary)")) continue;
    const back = behind(element), front = over(read(style.color), back);
    const [more, less] = [light(front), light(back)].sort((one, other) => other - one);
    const ratio = (more + 0.05) / (less + 0.05), size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) {
      found.push(`${text.slice(0, 40)} (${element.tagName}.${element.className}): ${ratio.toFixed(2)}`);
    }
  }
  return found;
})()
