// What does not fit on the page as it is now: for small screens and enlarged pages.
(least) => {
  const PRESSED =
    'button, a.button, summary, select, [role="button"], [role="tab"], [data-choice], ' +
    'input:not([type="radio"], [type="checkbox"], [type="file"], [type="range"])';
  const TEXT = '#app :is(button, a, h1, h2, h3, p, li, td, th, span)';
  const name = (each) => {
    if (!each) return 'nothing';
    const words = (each.ariaLabel ?? each.innerText ?? '').slice(0, 40).replaceAll('\n', ' ');
    const { x, y, width, height } = each.getBoundingClientRect();
    const numbers = [x, y, width, height].map((number) => Math.round(number * 10) / 10);
    return `${each.tagName}.${each.className?.baseVal ?? each.className} "${words}" [${numbers}]`;
  };
  const isSeen = (each) =>
    each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !each.closest('.visually-hidden, a[href="#content"]') &&
    each.getBoundingClientRect().width > 1;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);

  /** Whether something lies in a part that scrolls by itself, above the page, or is ornament. */
  const isApart = (each) => {
    for (let at = each; at; at = at.parentElement) {
      const { position, overflowX } = getComputedStyle(at);
      if (position === 'fixed' || at.getAttribute('aria-hidden') === 'true') return true;
      if (at !== each && /auto|scroll/.test(overflowX)) return true;
    }
    return false;
  };
  const room = document.documentElement.clientWidth;
  const beyond = all('#app *').filter((each) => {
    const { left, right } = each.getBoundingClientRect();
    return (right > room + 1 || left < -1) && !each.ownerSVGElement && !isApart(each);
  });

  /** Things to press that no finger reaches, even when the page is scrolled to them. */
  const covering = (each) => {
    each.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { x, y, width, height } = each.getBoundingClientRect();
    const found = document.elementFromPoint(x + width / 2, y + height / 2);
    return found && each.contains(found) ? null : name(found);
  };
  const covered = all('button:not(:disabled), a.button, summary, [data-choice]')
    .map((each) => [each, covering(each)])
    .filter(([, above]) => above !== null)
    .map(([each, above]) => `${name(each)} under ${above}`);

  /** Words that end at the edge of their box without a sign of it. */
  const clipped = all(TEXT).filter((each) => {
    const { overflowX, textOverflow } = getComputedStyle(each);
    return (
      overflowX === 'hidden' &&
      textOverflow !== 'ellipsis' &&
      !each.closest('svg') &&
      each.scrollWidth > each.clientWidth + 1
    );
  });
  const small = all(PRESSED).filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    return Math.min(width, height) < least - 0.5;
  });
  const { scrollWidth, clientWidth } = document.scrollingElement;
  return {
    sideways: scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px`] : [],
    beyond: beyond.slice(0, 8).map(name),
    covered,
    clipped: clipped.map(name),
    small: small.map(name),
  };
}
