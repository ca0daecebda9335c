import type { Page } from '@playwright/test';

/**
 * What somebody cannot read or reach in the window as it stands, in words: parts that stick out of the
 * window without a way to scroll there, text that is cut without an ellipsis, headings broken within
 * a word, and buttons and fields that lie under something else or out of reach.
 */
export function lostOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK = 2;
    const isSeen = (one: Element): boolean =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      one.closest('.sw-visually-hidden, .monaco-editor, .react-flow, [data-lost-ok]') === null;
    const name = (one: Element): string => {
      const words = (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40);
      const known = one.closest('[data-testid]')?.getAttribute('data-testid');
      const own = typeof one.className === 'string' ? one.className.split(' ')[0] : '';
      return `${one.tagName.toLowerCase()}.${own} “${words}” in ${known}`;
    };
    const scrollsX = (one: Element): boolean =>
      /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth;
    const isShortened = (one: Element): boolean => {
      const { overflowX, textOverflow } = getComputedStyle(one);
      return overflowX !== 'visible' && textOverflow === 'ellipsis';
    };
    const ancestors = (one: Element): Element[] => {
      const all: Element[] = [];
      for (let at = one.parentElement; at !== null; at = at.parentElement) all.push(at);
      return all;
    };
    const found = new Set<string>();
    const root = document.documentElement;
    const texts = [...document.querySelectorAll('body *')].filter(
      (one) =>
        isSeen(one) &&
        [...one.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
        ),
    );
    for (const one of texts) {
      const box = one.getBoundingClientRect();
      const out = box.right > root.clientWidth + SLACK || box.left < -SLACK;
      if (
        box.width > 0 &&
        out &&
        ![one, ...ancestors(one)].some((at) => scrollsX(at) || isShortened(at))
      )
        found.add(`out: ${name(one)}`);
      for (const holder of [one, ...ancestors(one)]) {
        const { overflowX } = getComputedStyle(holder);
        if (scrollsX(holder) || isShortened(holder)) break;
        if (overflowX === 'visible') continue;
        const edge = holder.getBoundingClientRect().right;
        const over = [...one.childNodes].some((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          const isText = node.nodeType === Node.TEXT_NODE;
          return isText && range.getBoundingClientRect().right > edge + SLACK;
        });
        if (over) found.add(`cut: ${name(one)}`);
        break;
      }
    }
    for (const heading of document.querySelectorAll('h1, h2, h3, h4')) {
      if (!isSeen(heading)) continue;
      const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        for (const word of (node.textContent ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
          const range = document.createRange();
          range.setStart(node, word.index);
          range.setEnd(node, word.index + word[0].length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.add(`broken: “${word[0]}” in ${name(heading)}`);
        }
      }
    }
    // Lists that draw only what is in view draw their lines anew while they are scrolled.
    const ELSEWHERE = '[aria-hidden="true"], [style*="translateY"]';
    const CONTROLS =
      'main a[href], main button:not(:disabled), main input, main select, main textarea';
    for (const control of document.querySelectorAll(CONTROLS)) {
      if (!isSeen(control) || control.closest(ELSEWHERE) !== null) continue;
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, top, width, height } = control.getBoundingClientRect();
      const at = document.elementFromPoint(left + width / 2, top + height / 2);
      const label = control.closest('label') ?? control.parentElement;
      if (width > 1 && at !== null && !control.contains(at) && label?.contains(at) !== true)
        found.add(`under ${at.tagName}.${at.className}: ${name(control)}`);
      else if (width > 1 && at === null) found.add(`out of reach: ${name(control)}`);
    }
    return [...found];
  });
}
