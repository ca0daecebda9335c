import { speakIn } from '../../preload/texts/catalogues.ts';
import { LANGUAGES, languageOf, type Spoken, spoken } from '../../preload/texts/language.ts';
import { isObject } from '../../server/kernel/json.ts';
import { desktopApi } from './bridge.ts';
import { readJson, writeJson } from './local-store.ts';

const KEY = 'language';
const CHOICES = ['system', ...LANGUAGES, 'en-XA'] as const;

function isChoice(value: unknown): value is Spoken | 'system' {
  return CHOICES.some((one) => one === value);
}

function isChoiceOrNull(value: unknown): value is Spoken | 'system' | null {
  return value === null || isChoice(value);
}

/**
 * What was chosen in this program. It holds for all of its windows, whichever services each of them
 * works with; undefined in a browser, and before somebody chose here.
 */
export function languageOfProgram(): Spoken | 'system' | undefined {
  return desktopApi() === undefined
    ? undefined
    : (readJson(KEY, isChoiceOrNull, null) ?? undefined);
}

function chosenLanguage(): Spoken | undefined {
  const { language } = { language: undefined, ...readJson('preferences', isObject, {}) };
  const chosen = languageOfProgram() ?? language;
  return isChoice(chosen) && chosen !== 'system' ? chosen : undefined;
}

/**
 * Speaks the language of this window. Await it before modules that hold texts are read: what they say
 * at once is said in the language that is known then.
 */
export async function speakChosenLanguage(): Promise<void> {
  const { languages, language } = window.navigator;
  await speakIn(chosenLanguage() ?? languageOf(languages), language);
  document.documentElement.lang = spoken();
}

/** True when a window of which this language is wanted speaks it already. */
export function isSpoken(language: Spoken | 'system' | undefined): boolean {
  const isSystems = language === undefined || language === 'system';
  return spoken() === (isSystems ? languageOf(window.navigator.languages) : language);
}

/** Begins the window again in the language that was just chosen; the shell does so with all of its windows. */
export function beginAgainIn(language: Spoken | 'system'): void {
  const api = desktopApi();
  if (api === undefined) {
    window.location.reload();
  } else {
    writeJson(KEY, language);
    void api.setLanguage(language);
  }
}
