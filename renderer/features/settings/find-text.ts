/** One place of a text that was looked for. */
export interface Found {
  /** The section that it stands in. */
  readonly section: HTMLElement;
  readonly range: Range;
}

/** The words that are looked for, each by itself. */
export function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** What of an element is looked through: what it shows, and what its fields are called. */
function wholeText(element: HTMLElement): string {
  const labels = [...element.querySelectorAll('[aria-label], [placeholder]')].flatMap((one) => [
    one.getAttribute('aria-label'),
    one.getAttribute('placeholder'),
  ]);
  return [element.textContent, ...labels].join(' ').toLowerCase();
}

/** True for an element that has all the words, anywhere in it. */
export function hasWords(element: HTMLElement, words: readonly string[]): boolean {
  const text = wholeText(element);
  return words.every((word) => text.includes(word));
}

/** Where one of the words stands in what the sections show, from the first on. */
export function findWords(
  sections: readonly HTMLElement[],
  words: readonly string[],
): readonly Found[] {
  return sections.flatMap((section) => {
    const found: Found[] = [];
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      // A choice that is folded has no place on the page.
      if (node.parentElement?.closest('option, script, style') === null) {
        found.push(...inText(section, node, words));
      }
    }
    return found;
  });
}

function inText(section: HTMLElement, node: Node, words: readonly string[]): readonly Found[] {
  const text = (node.textContent ?? '').toLowerCase();
  const places: { from: number; to: number }[] = [];
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      places.push({ from: at, to: at + word.length });
    }
  }
  return places
    .sort((a, b) => a.from - b.from)
    .map(({ from, to }) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return { section, range };
    });
}
