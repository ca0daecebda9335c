/** Languages that the window and the menus speak, and `en-XA`: English made strange, to find texts that bypass the catalogue. */
export const LANGUAGES = ['en', 'de', 'zh'] as const;

/** What stands in the setting; absent = the language of the system. */
export type Language = (typeof LANGUAGES)[number];

/** What is spoken: a language of the setting, or the strange English of tests. */
export type Spoken = Language | 'en-XA';

/** English text → the text of another language. What is missing is said in English. */
export type Catalogue = Readonly<Record<string, string>>;

interface Speech {
  readonly spoken: Spoken;
  readonly catalogue: Catalogue;
  /** For numbers, dates and plurals; it may name a region. */
  readonly locale: string;
}

let speech: Speech = { spoken: 'en', catalogue: {}, locale: 'en' };

/** The first of these tags that is spoken; English when none is. Tags as `navigator.languages` has them. */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const base = tag.toLowerCase().split('-')[0];
    const known = LANGUAGES.find((language) => language === base);
    if (known !== undefined) {
      return known;
    }
  }
  return 'en';
}

/**
 * Speaks a language from now on. It is chosen once, before modules that hold texts are read; `system`
 * names the region of the computer, whose numbers and dates hold where it has the same language.
 */
export function speak(spoken: Spoken, catalogue: Catalogue, system: string): void {
  const isSystems = languageOf([system]) === spoken && system.toLowerCase().startsWith(spoken);
  speech = { spoken, catalogue, locale: isSystems ? system : spoken };
}

/** The language that is spoken now. */
export function spoken(): Spoken {
  return speech.spoken;
}

/** The tag for `Intl`: of the language that is spoken, with the computer's region where that fits. */
export function locale(): string {
  return speech.locale;
}

/** The text for a message in the language that is spoken; the English one where there is none. */
export function wordsFor(key: string, english: string): string {
  return speech.catalogue[key] ?? english;
}
