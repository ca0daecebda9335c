import { locale } from '../../preload/texts/language.ts';
import { t } from '../../preload/texts/t.ts';

const STEPS: readonly (readonly [
  limit: number,
  seconds: number,
  unit: Intl.RelativeTimeFormatUnit,
])[] = [
  [60, 1, 'second'],
  [3_600, 60, 'minute'],
  [86_400, 3_600, 'hour'],
  [86_400 * 14, 86_400, 'day'],
  [86_400 * 60, 86_400 * 7, 'week'],
  [86_400 * 365, 86_400 * 30, 'month'],
  [Number.POSITIVE_INFINITY, 86_400 * 365, 'year'],
];

const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
const short = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'narrow' });

/** "3 minutes ago", "in 2 hours"; `narrow`: "3m ago". Both instants in epoch milliseconds. */
export function relativeTime(at: number, now: number, narrow = false): string {
  const seconds = Math.round((at - now) / 1_000);
  const size = Math.abs(seconds);
  if (size < 5) {
    return t('just now');
  }
  const step = STEPS.find(([limit]) => size < limit);
  const words = narrow ? short : format;
  return step === undefined ? '' : words.format(Math.trunc(seconds / step[1]), step[2]);
}

/** "1.2 s", "3 min 4 s", "250 ms". */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) {
    return t('{round} ms', { round: Math.round(milliseconds) });
  }
  const seconds = milliseconds / 1_000;
  if (seconds < 60) {
    return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? t('{minutes} min {floor} s', { minutes, floor: Math.floor(seconds % 60) })
    : t('{floor} h {value} min', { floor: Math.floor(minutes / 60), value: minutes % 60 });
}

/** "6 s", "3 min 4 s": a duration that somebody watches grow. */
export function secondsText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : durationText(milliseconds);
}
