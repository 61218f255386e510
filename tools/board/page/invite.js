// Two people who play at devices of their own: the page from which they go there shows each the way until he has come.

import { find, make } from "./dom.js";
import { get } from "./server.js";
import { capital } from "./words.js";

let shown = null;

export async function invite(base, awaited) {
  const key = awaited.join();
  if (shown === key) return;
  shown = key;
  const found = await get(`${base}/invitations`), box = find("invitations");
  const card = ({ side, page, link, open }) => make("section", { class: "panel" },
    make("h3", {}, make("span", { class: `side ${side}` }, capital(side))),
    make("a", { class: "button main", href: page }, `Play ${capital(side)} on this device`),
    open ? make("img", { src: `${base}/invitations/${side}`, width: 200, height: 200,
      alt: `QR code of the address below, for the device of whoever plays ${capital(side)}` }) : null,
    make("p", { class: "address" }, link));
  box.replaceChildren(...found.map(card), found.length ? "" : make("p", { role: "status" },
    "Both have come. This page shows the game when it is over."), found.some(one => one.open) || !found.length ? ""
    : make("p", { class: "hint" }, "Other devices reach this server if it is started with --listen 0.0.0.0; without " +
      "that each plays in a window of his own."));
}
