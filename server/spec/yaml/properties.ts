import {
  COLON,
  type Cursor,
  codeAt,
  isFlowSign,
  isGap,
  skip,
  skipInLine,
  YamlFault,
} from './cursor.ts';

/** The anchor and the tag of a node. The tag `!` says nothing. */
export interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

/** No anchor and no tag; told from others by identity. */
export const NO_PROPERTIES: Properties = { anchor: undefined, tag: undefined };

const AMPERSAND = 0x26;
const BANG = 0x21;
const ONE_EACH = 'A value has one anchor and one tag.';
const CORE = 'tag:yaml.org,2002:';

/** True for `&` and `!`. */
export function startsProperties(code: number): boolean {
  return code === AMPERSAND || code === BANG;
}

function readWord(cursor: Cursor, what: string, colons: boolean): string {
  const start = cursor.at;
  for (;;) {
    const code = codeAt(cursor);
    if (isGap(code) || isFlowSign(code)) break;
    if (!colons && code === COLON && isGap(codeAt(cursor, 1))) break;
    cursor.at += 1;
  }
  if (cursor.at === start) throw new YamlFault(`${what} needs a name.`, start - 1);
  return cursor.text.slice(start, cursor.at);
}

/** The name behind `&` or `*`. */
export function readAnchor(cursor: Cursor): string {
  cursor.at += 1;
  return readWord(cursor, 'An anchor or alias', false);
}

function readTag(cursor: Cursor): string {
  const start = cursor.at;
  if (cursor.text.startsWith('!<', start)) {
    const close = cursor.text.indexOf('>', start);
    if (close < 0) throw new YamlFault('This tag is not closed with ">".', start);
    cursor.at = close + 1;
    return cursor.text.slice(start + 2, close);
  }
  cursor.at += 1;
  const next = codeAt(cursor);
  if (isGap(next) || isFlowSign(next)) return '!';
  const word = readWord(cursor, 'A tag', true);
  return word.startsWith('!') ? CORE + word.slice(1) : `!${word}`;
}

/** Refuses a property that runs into what follows. */
function demandGap(cursor: Cursor, start: number, between: boolean): void {
  const code = codeAt(cursor);
  if (isGap(code) || (between && isFlowSign(code))) return;
  throw new YamlFault('A blank must follow an anchor or tag.', start, cursor.at);
}

/** Reads an anchor and a tag, in either order, and moves to what follows; between brackets also over breaks. */
export function readProperties(cursor: Cursor, between: boolean): Properties {
  let { anchor, tag } = NO_PROPERTIES;
  for (;;) {
    const start = cursor.at;
    const code = codeAt(cursor);
    if (!startsProperties(code)) return { anchor, tag };
    if (code === AMPERSAND && anchor === undefined) anchor = readAnchor(cursor);
    else if (code === BANG && tag === undefined) tag = readTag(cursor);
    else throw new YamlFault(ONE_EACH, start);
    demandGap(cursor, start, between);
    if (between) skip(cursor);
    else skipInLine(cursor);
  }
}

/** The properties of a node whose line above has some as well. */
export function joinProperties(above: Properties, own: Properties, at: number): Properties {
  if (above === NO_PROPERTIES) return own;
  if (own === NO_PROPERTIES) return above;
  throw new YamlFault(ONE_EACH, at);
}
