import { type AnyNode, isTag, isText } from 'domhandler';

const MARKUP = /[&<>]/;
const SPACES = /[ \t\r\n\f\u200b]+/g;
/** What html-to-text writes on a line. */
const LINE = 80;

/** What html-to-text lays out of an element that holds one line of words; null of any other. */
export function plainWords(element: AnyNode): string | null {
  if (!isTag(element)) return null;
  const [text, ...more] = element.children;
  if (text === undefined) return '';
  if (!isText(text) || more.length > 0 || MARKUP.test(text.data)) return null;
  const words = text.data.replaceAll(SPACES, ' ');
  const from = words.startsWith(' ') ? 1 : 0;
  const to = words.endsWith(' ') ? words.length - 1 : words.length;
  return to - from <= LINE ? words.slice(from, to) : null;
}
