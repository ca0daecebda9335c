import { locale } from '../../preload/texts/language.ts';
import { t } from '../../preload/texts/t.ts';
import { preferencesStore } from '../data/preferences.ts';

/** A date and time in words, by the clock that the person prefers. `at`: wire timestamp or epoch ms. */
export function clockText(at: string | number): string {
  const utc = preferencesStore.get().clock === 'utc';
  return utc
    ? t('{value} UTC', { value: new Date(at).toLocaleString(locale(), { timeZone: 'UTC' }) })
    : new Date(at).toLocaleString(locale());
}

/** The time of a day in words, by the clock that the person prefers. `at`: epoch ms. */
export function timeText(at: number): string {
  const utc = preferencesStore.get().clock === 'utc';
  return utc
    ? t('{localeTimeString} UTC', {
        localeTimeString: new Date(at).toLocaleTimeString(locale(), { timeZone: 'UTC' }),
      })
    : new Date(at).toLocaleTimeString(locale());
}
