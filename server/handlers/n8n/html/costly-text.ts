import { FieldFailure } from '../fields.ts';

/** The libraries that convert a text take a time that grows with the third power of some patterns. */
const MOST_CHARACTERS = 1_000_000;
const MOST_ALIKE = 200;
const MOST_OPEN = 300;
const DEEPEST = 300;

const RUN_OF_SIGNS = new RegExp(`([\`[>!])\\1{${MOST_ALIKE},}| {${10 * MOST_ALIKE},}`);
const TAG = /<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])[^<>]*>/gi;
const NEVER_CLOSED = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source'],
  ...['track', 'wbr', 'p', 'li', 'td', 'th', 'tr', 'option', 'dt', 'dd', 'thead', 'tbody'],
]);

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** How many tags are open at once, where most are. */
function depthOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [tag, isEnd, name = ''] of html.matchAll(TAG)) {
    if (NEVER_CLOSED.has(name.toLowerCase()) || tag.endsWith('/>')) continue;
    depth = isEnd === '/' ? Math.max(0, depth - 1) : depth + 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function refuse(what: string): never {
  throw new FieldFailure(`The text ${what}. Convert it in smaller pieces.`);
}

/** Refuses a page that costs too much to walk through. @throws FieldFailure */
export function refuseDeepHtml(html: string): void {
  if (depthOf(html) > DEEPEST) refuse(`has more than ${DEEPEST} tags inside one another`);
}

/** Refuses a text that costs too much to convert. @throws FieldFailure */
export function refuseCostlyMarkup(text: string): void {
  if (text.length > MOST_CHARACTERS) refuse(`is longer than ${MOST_CHARACTERS} characters`);
  refuseDeepHtml(text);
  if (RUN_OF_SIGNS.test(text)) refuse(`has more than ${MOST_ALIKE} of one sign in a row`);
  const isOpen =
    count(text, '<') - count(text, '>') > MOST_OPEN ||
    count(text, '[') - count(text, ']') > MOST_OPEN ||
    count(text, '](') - count(text, ')') > MOST_OPEN;
  if (isOpen) refuse(`opens more than ${MOST_OPEN} tags or links that it does not close`);
}
