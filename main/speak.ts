import { app } from 'electron';
import { speakIn } from '../preload/texts/catalogues.ts';
import { languageOf, type Spoken } from '../preload/texts/language.ts';

/** Menus and dialogs speak this language from now on. Await it before the first of them is made. */
export async function speakInShell(language: Spoken | 'system'): Promise<void> {
  const tags = app.getPreferredSystemLanguages();
  const chosen = language === 'system' ? languageOf(tags) : language;
  await speakIn(chosen, tags[0] ?? 'en');
}
