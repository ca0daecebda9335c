import { IntlMessageFormat } from 'intl-messageformat';
import { locale, spoken, wordsFor } from './language.ts';
import { pseudoMessage, pseudoPieces, pseudoText } from './pseudo.ts';

/** What stands for the variables of a message; null and undefined leave their place empty. */
export type TextValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A context for the same English word of two meanings, such as `verb`. */
export const CONTEXT_MARK = '|';

const read = new Map<string, IntlMessageFormat>();
let readFor = '';

function parse(text: string, tags: boolean): IntlMessageFormat {
  const options = { ignoreTag: !tags };
  const message = new IntlMessageFormat(text, locale(), undefined, options);
  if (spoken() !== 'en-XA') {
    return message;
  }
  const strange = tags ? pseudoPieces(message.getAst()) : pseudoMessage(message.getAst());
  return new IntlMessageFormat(strange, locale(), undefined, options);
}

function parsed(text: string, tags: boolean): IntlMessageFormat {
  const language = `${spoken()} ${locale()}`;
  if (language !== readFor) {
    read.clear();
    readFor = language;
  }
  const key = `${tags} ${text}`;
  const known = read.get(key);
  if (known !== undefined) {
    return known;
  }
  const message = parse(text, tags);
  read.set(key, message);
  return message;
}

function said(key: string, english: string, values: TextValues | undefined): string {
  const text = wordsFor(key, english);
  if (values === undefined) {
    return spoken() === 'en-XA' ? pseudoText(text) : text;
  }
  return String(parsed(text, false).format(values));
}

/**
 * A text of the interface in the language that is spoken. `text` is the English one, as a literal: an
 * ICU message, which is also its key in the catalogue. Without `values` it is taken as it stands.
 */
export function t(text: string, values?: TextValues): string {
  return said(text, text, values);
}

/** As {@link t} for an English word that has several meanings: `context` tells translators which. */
export function tAs(context: string, text: string, values?: TextValues): string {
  return said(`${context}${CONTEXT_MARK}${text}`, text, values);
}

/**
 * Says a text of a table that is read before the language is known, such as that of the commands. The
 * script of the texts knows these tables.
 */
export function translated(text: string): string {
  return said(text, text, undefined);
}

/** What stands for variables and tags of a message with elements. */
export type PartValues<T> = Readonly<
  Record<string, string | number | boolean | T | ((parts: readonly (string | T)[]) => T)>
>;

/** In strange English, data stand in brackets too: they are meant to stand there. */
function bracketed<T>(values: PartValues<T>): PartValues<T> {
  const made = Object.entries(values).map(([name, value]): [string, PartValues<T>[string]] => [
    name,
    typeof value === 'string' ? `[${value}]` : value,
  ]);
  return Object.fromEntries(made);
}

/** The pieces of a message with elements, in the order of the language that is spoken. */
export function pieces<T>(text: string, values: PartValues<T>): readonly (string | T)[] {
  const given = spoken() === 'en-XA' ? bracketed(values) : values;
  const made = parsed(wordsFor(text, text), true).format<T>({ ...given });
  return Array.isArray(made) ? made : [made];
}
