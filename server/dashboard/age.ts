import { timeOf } from './read.ts';

export const NO_AGE = '—';
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Whole seconds as one unit: `59s`, `1m`, `23h`, `1d`; below zero counts as zero. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole}s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}m`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)}h`;
  return `${Math.floor(whole / DAY)}d`;
}

/** Seconds since a time, undefined when it is none. */
export function secondsSince(value: unknown, nowMs: number): number | undefined {
  const time = timeOf(value);
  return time === undefined ? undefined : (nowMs - time) / 1000;
}

/** Age text of a time (contract/dashboard.md 9). */
export function ageText(value: unknown, nowMs: number): string {
  const seconds = secondsSince(value, nowMs);
  return seconds === undefined ? NO_AGE : spanText(seconds);
}
