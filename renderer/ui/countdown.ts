import { t } from '../../preload/texts/t.ts';

const MINUTE = 60;
const HOUR = 3600;
const SOON = 5 * MINUTE;

/** Time left to a deadline, both in epoch seconds. */
export function countdown(
  expiresAt: number,
  now: number,
): { readonly text: string; readonly tone: 'neutral' | 'warning' | 'danger' } {
  const left = Math.floor(expiresAt - now);
  if (left <= 0) {
    return { text: t('overdue'), tone: 'danger' };
  }
  const tone = left <= MINUTE ? 'danger' : left <= SOON ? 'warning' : 'neutral';
  const two = (value: number): string => String(value).padStart(2, '0');
  if (left >= 24 * HOUR) {
    return { text: t('{floor} d left', { floor: Math.floor(left / (24 * HOUR)) }), tone };
  }
  const seconds = two(left % MINUTE);
  const clock =
    left >= HOUR
      ? `${Math.floor(left / HOUR)}:${two(Math.floor((left % HOUR) / MINUTE))}:${seconds}`
      : `${Math.floor(left / MINUTE)}:${seconds}`;
  return { text: t('{clock} left', { clock }), tone };
}
