import type { IntlMessageFormat } from 'intl-messageformat';

/** A message as the library has read it. */
export type Ast = ReturnType<IntlMessageFormat['getAst']>;
type Element = Ast[number];

const PLAIN = 'AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz';
const STRANGE = 'ÅåƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀɱÑñÖöÞþǪǫŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž';
const LETTERS = new Map([...PLAIN].map((letter, at) => [letter, [...STRANGE][at] ?? letter]));
/** One more sign for each three letters: other languages are longer than English. */
const LONGER = 0.3;

function accented(text: string): string {
  return [...text].map((letter) => LETTERS.get(letter) ?? letter).join('');
}

function padding(text: string): string {
  return '·'.repeat(Math.ceil(text.trim().length * LONGER));
}

/** A text in strange English: accents, brackets, a third longer. */
export function pseudoText(text: string): string {
  return `[${accented(text)}${padding(text)}]`;
}

function literal(value: string): Element {
  return { type: 0, value };
}

function inside(element: Element, change: (text: string) => string): Element {
  if (element.type === 0) {
    return { ...element, value: change(element.value) };
  }
  if (element.type === 8) {
    return { ...element, children: element.children.map((child) => inside(child, change)) };
  }
  if (element.type !== 5 && element.type !== 6) {
    return element;
  }
  const options = Object.entries(element.options).map(([name, option]) => [
    name,
    { ...option, value: option.value.map((child) => inside(child, change)) },
  ]);
  return { ...element, options: Object.fromEntries(options) };
}

/** A message in strange English, in one pair of brackets. */
export function pseudoMessage(ast: Ast): Ast {
  const changed = ast.map((element) => inside(element, accented));
  const text = ast.map((element) => (element.type === 0 ? element.value : '')).join('');
  return [literal('['), ...changed, literal(`${padding(text)}]`)];
}

/** The same for a message that elements split: each piece of text has brackets of its own. */
export function pseudoPieces(ast: Ast): Ast {
  const piece = (text: string) => (/\p{L}/u.test(text) ? pseudoText(text) : text);
  return ast.map((element) => inside(element, piece));
}
