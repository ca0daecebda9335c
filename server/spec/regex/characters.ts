/** Whether a character, given as its code point, is meant. */
export type CharacterTest = (code: number) => boolean;

const DIGIT = /^\p{Nd}$/u;
const WORD = /^[\p{L}\p{N}_]$/u;
// White space of JavaScript is another set: it lacks the separators 28 to 31 and has the byte order mark.
const SPACE = /^[\s\x85]$/u;
const BYTE_ORDER_MARK = 0xfeff;
const ASCII_SPACE = /^[\t-\r ]$/;
const NEWLINE = 10;

function isAsciiDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isAsciiWord(code: number): boolean {
  const lower = code | 32;
  return isAsciiDigit(code) || code === 95 || (lower >= 97 && lower <= 122 && code < 128);
}

function matches(pattern: RegExp): CharacterTest {
  return (code) => pattern.test(String.fromCodePoint(code));
}

function isWideSpace(code: number): boolean {
  if (code >= 28 && code <= 31) return true;
  return code !== BYTE_ORDER_MARK && SPACE.test(String.fromCodePoint(code));
}

const isWideDigit = matches(DIGIT);
const isWideWord = matches(WORD);

/** `\w`: letters, numbers and the underscore, of all scripts or of ASCII. */
export function wordTest(ascii: boolean): CharacterTest {
  return ascii ? isAsciiWord : (code) => (code < 128 ? isAsciiWord(code) : isWideWord(code));
}

const CATEGORIES: Readonly<Record<string, (ascii: boolean) => CharacterTest>> = {
  d: (ascii) =>
    ascii ? isAsciiDigit : (code) => (code < 128 ? isAsciiDigit(code) : isWideDigit(code)),
  s: (ascii) => (ascii ? matches(ASCII_SPACE) : isWideSpace),
  w: wordTest,
};

/** The test of `\d \D \s \S \w \W`; undefined for other letters. */
export function categoryTest(letter: string, ascii: boolean): CharacterTest | undefined {
  const lower = letter.toLowerCase();
  const made = Object.hasOwn(CATEGORIES, lower) ? CATEGORIES[lower] : undefined;
  if (made === undefined) return undefined;
  const test = made(ascii);
  return lower === letter ? test : negated(test);
}

/** The test of `\p{…}`; throws SyntaxError for a property that there is not. */
export function propertyTest(name: string, negative: boolean): CharacterTest {
  return matches(new RegExp(`^\\${negative ? 'P' : 'p'}{${name}}$`, 'u'));
}

/** Every character that the test refuses. */
export function negated(test: CharacterTest): CharacterTest {
  return (code) => !test(code);
}

/** Every character that one of the tests takes. */
export function anyOf(tests: readonly CharacterTest[]): CharacterTest {
  return (code) => tests.some((test) => test(code));
}

/** The characters of a range, both ends included. */
export function between(first: number, last: number): CharacterTest {
  return (code) => code >= first && code <= last;
}

/** What `.` takes without the flag `s`. */
export function isNotNewline(code: number): boolean {
  return code !== NEWLINE;
}

/** What `.` takes under the flag `s`. */
export function anything(): boolean {
  return true;
}

function single(text: string, fallback: number): number {
  const code = text.codePointAt(0);
  return code !== undefined && String.fromCodePoint(code) === text ? code : fallback;
}

/** The forms of a character that are equal to it when case does not count. */
export function caseForms(code: number): readonly number[] {
  const text = String.fromCodePoint(code);
  const upper = single(text.toUpperCase(), code);
  const lower = single(text.toLowerCase(), code);
  const folded = single(String.fromCodePoint(upper).toLowerCase(), code);
  return [...new Set([code, lower, upper, folded])];
}

/** The test with case ignored. */
export function caseless(test: CharacterTest): CharacterTest {
  return (code) => caseForms(code).some(test);
}

/** The same test with its answers for ASCII kept. */
export function tabled(test: CharacterTest): CharacterTest {
  // Answered when asked: a pattern of 90 KB has so many tests, each of them dear.
  const answers: boolean[] = [];
  return (code) => {
    if (code >= 128) return test(code);
    answers[code] ??= test(code);
    return answers[code];
  };
}

/** Whether two characters are equal when case does not count. */
export function sameCaseless(a: number, b: number): boolean {
  const forms = caseForms(b);
  return a === b || caseForms(a).some((form) => forms.includes(form));
}
