import { locale } from '../../preload/texts/language.ts';

/** Names one after another in the language that is spoken: `a, b, and c`. */
export function listText(names: readonly string[]): string {
  return new Intl.ListFormat(locale()).format(names);
}
