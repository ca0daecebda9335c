import { t } from '../../../preload/texts/t.ts';

/** What a person is asked for (spec-v1 9). */
const WORDS: Readonly<Record<string, string>> = {
  approval: t('approval'),
  review: t('review'),
  correction: t('correction'),
  selection: t('selection'),
  freeform: t('free text'),
};

/** The type of a request in words; one of another program as it is written. */
export function requestWords(type: string): string {
  return WORDS[type] ?? type.replaceAll('_', ' ');
}
