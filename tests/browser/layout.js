// What of a game's screen does not fit, is cut off, or lies on something else.
() => {
  const SLACK = 1.5; // pixels: borders, and what is rounded
  const isSeen = (each) =>
    each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !each.closest(".visually-hidden") &&
    each.getBoundingClientRect().width > 1;
  const all = (selector) =>
    [...document.querySelectorAll(selector)].filter(isSeen);
  // What is written and drawn in something; text for screen readers only takes no room.
  const ink = (each) => {
    const range = document.createRange();
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    const boxes = [...each.querySelectorAll("svg")]
      .filter(isSeen)
      .map((drawn) => drawn.getBoundingClientRect());
    while (texts.nextNode()) {
      if (!isSeen(texts.currentNode.parentElement)) continue;
      range.selectNodeContents(texts.currentNode);
      boxes.push(...range.getClientRects());
    }
    const edge = (side, pick) => pick(...boxes.map((box) => box[side]));
    return {
      left: edge("left", Math.min),
      top: edge("top", Math.min),
      right: edge("right", Math.max),
      bottom: edge("bottom", Math.max),
    };
  };
  const things = (
    kind,
    selector,
    name,
    box = (each) => each.getBoundingClientRect(),
  ) =>
    all(selector).map((each) => ({
      kind,
      name: `${kind} ${name(each)}`,
      each,
      box: box(each),
    }));
  const cities = things(
    "city",
    "[data-city]",
    (each) => each.dataset.city,
    (each) => each.querySelector(".ground").getBoundingClientRect(),
  );
  const parts = [
    ...cities,
    ...things(
      "player",
      ".screen .strip li, aside .players > li",
      (each) => each.innerText.split("\n")[0],
    ),
    ...things("card", "[data-card]", (each) => each.dataset.card),
    ...things(
      "button",
      ".acts .button, .controls button, .controls select",
      (each) => each.ariaLabel ?? each.innerText,
    ),
    ...things("prompt", ".prompt h2, .told", (each) => each.innerText, ink),
    ...things(
      "words",
      ".middle p, .middle .count, .middle .head",
      (each) => each.innerText,
      ink,
    ),
  ];
  const problems = [];

  const { scrollHeight, scrollWidth } = document.scrollingElement;
  if (scrollHeight > innerHeight + 1)
    problems.push(`scrolls down by ${scrollHeight - innerHeight}`);
  if (scrollWidth > innerWidth + 1)
    problems.push(`scrolls sideways by ${scrollWidth - innerWidth}`);

  for (const { name, box } of parts) {
    const outside = [
      -box.left,
      -box.top,
      box.right - innerWidth,
      box.bottom - innerHeight,
    ];
    const most = Math.max(...outside);
    if (most > SLACK)
      problems.push(`${name} lies ${Math.round(most)} px outside`);
  }

  const shared = (one, two) =>
    Math.min(
      Math.min(one.right, two.right) - Math.max(one.left, two.left),
      Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top),
    );
  parts.forEach((one, index) => {
    for (const two of parts.slice(index + 1)) {
      if (one.each.contains(two.each) || two.each.contains(one.each)) continue;
      const depth = shared(one.box, two.box);
      if (depth > 3)
        problems.push(
          `${one.name} lies ${Math.round(depth)} px on ${two.name}`,
        );
    }
  });

  // Words that do not fit into their place.
  for (const each of all(".prompt, .told, .middle .note, .acts .button")) {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = each;
    if (scrollHeight > clientHeight + 2 || scrollWidth > clientWidth + 2)
      problems.push(`cut off: ${each.className} ${each.innerText}`);
  }

  // Nothing of a player's field reaches into the next one.
  for (const field of all(".players > li")) {
    const room = field.getBoundingClientRect();
    for (const each of field.querySelectorAll("button svg, button .name"))
      if (isSeen(each) && each.getBoundingClientRect().right > room.right + 1)
        problems.push(`leaves its field: ${field.innerText.split("\n")[0]}`);
  }

  // What stands in it keeps apart.
  for (const field of all(".players > li > button")) {
    const pieces = [
      ...field.querySelectorAll(
        ".name, .time, .status, .supply, .sum, .mark svg, .laying > svg, .top svg",
      ),
    ]
      .filter((each) => isSeen(each) && !each.parentElement.closest("svg"))
      .map((each) => {
        const box = each.getBoundingClientRect();
        if (each.matches("svg")) return { each, box };
        const { left, top, right, bottom } = ink(each);
        const cut = {
          left: Math.max(left, box.left),
          top: Math.max(top, box.top),
          right: Math.min(right, box.right),
          bottom: Math.min(bottom, box.bottom),
        };
        return { each, box: cut };
      });
    pieces.forEach((one, index) => {
      for (const two of pieces.slice(index + 1))
        if (shared(one.box, two.box) > 2)
          problems.push(
            `in the field of ${field.innerText.split("\n")[1]}: ${one.each.className.baseVal ?? one.each.className} lies on ${two.each.className.baseVal ?? two.each.className}`,
          );
    });
  }

  // Names and states stand whole; every word can be read; fingers find what they press.
  for (const each of all(".players .name, .players .status")) {
    if (each.scrollWidth > each.clientWidth + 1)
      problems.push(`cut off: ${each.className} ${each.innerText}`);
  }
  const LEAST_LETTER = 11;
  const words = document.createTreeWalker(
    document.querySelector(".screen"),
    NodeFilter.SHOW_TEXT,
  );
  while (words.nextNode()) {
    const { parentElement: each, data } = words.currentNode;
    if (!data.trim() || !isSeen(each)) continue;
    const scale = each.ownerSVGElement ? each.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(each).fontSize) * scale;
    if (size < LEAST_LETTER - 0.1)
      problems.push(`too small, ${size.toFixed(1)} px: ${data.trim()}`);
  }
  if (matchMedia("(max-width: 600px), (max-height: 520px)").matches)
    for (const each of all("[data-choice], .acts button, .controls button")) {
      const { width, height } = each.getBoundingClientRect();
      if (Math.min(width, height) < 39.5)
        problems.push(
          `too small for a finger, ${Math.round(width)}x${Math.round(height)}: ${each.ariaLabel ?? each.innerText}`,
        );
    }

  // In a city: its words keep within it and apart; the card tells its city in letters.
  for (const { each, name, box } of cities) {
    const texts = [...each.querySelectorAll(":scope > text")].map((text) =>
      text.getBoundingClientRect(),
    );
    for (const text of texts)
      if (
        text.left < box.left - 1 ||
        text.right > box.right + 1 ||
        text.bottom > box.bottom + 1
      )
        problems.push(`words leave ${name}`);
    if (texts[0] && texts[1] && shared(texts[0], texts[1]) > 2)
      problems.push(`words of ${name} lie on each other`);
    const card = each.querySelector(".display .card");
    const letters = card?.querySelector(".code, .name");
    if (card && !(letters && letters.getBoundingClientRect().height > 7))
      problems.push(`the card at ${name} cannot be read without colour`);
    for (const hit of each.querySelectorAll(".display .card")) {
      const { left, right, top, bottom } = hit.getBoundingClientRect();
      if (
        left < box.left ||
        right > box.right ||
        top < box.top ||
        bottom > box.bottom
      )
        problems.push(`the card of ${name} leaves it`);
    }
    for (const tower of each.querySelectorAll(".tower > g")) {
      const { top } = tower.getBoundingClientRect();
      if (top < box.top - 1) problems.push(`a tower of ${name} is too high`);
    }
  }
  return problems;
};
