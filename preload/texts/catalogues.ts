import { type Catalogue, type Language, type Spoken, speak } from './language.ts';

/** English is in the code; each other language is read when it is spoken. */
const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Catalogue>>> = {
  de: async () =>
    (await import('../../resources/texts/de.json', { with: { type: 'json' } })).default,
  zh: async () =>
    (await import('../../resources/texts/zh.json', { with: { type: 'json' } })).default,
};

/** Reads the catalogue of a language and speaks it. `system` is the tag of the computer's language. */
export async function speakIn(spoken: Spoken, system: string): Promise<void> {
  const catalogue = spoken === 'en' || spoken === 'en-XA' ? {} : await READ[spoken]();
  speak(spoken, catalogue, system);
}
