import type { DateTime } from 'luxon';

/** Signs of version 1's formats, with those of Luxon for the same. */
const SAME: Readonly<Record<string, string>> = {
  ...{ YYYY: 'yyyy', YY: 'yy', Y: 'y', Q: 'q' },
  ...{ MMMM: 'LLLL', MMM: 'LLL', MM: 'LL', M: 'L' },
  ...{ DDDD: 'ooo', DDD: 'o', DD: 'dd', D: 'd' },
  ...{ dddd: 'cccc', ddd: 'ccc', E: 'c' },
  ...{ GGGG: 'kkkk', GG: 'kk', WW: 'WW', W: 'W' },
  ...{ HH: 'HH', H: 'H', hh: 'hh', h: 'h', mm: 'mm', m: 'm', ss: 'ss', s: 's' },
  ...{ SSS: 'SSS', SS: 'uu', S: 'uuu', A: 'a', Z: 'ZZ', ZZ: 'ZZZ', X: 'X', x: 'x' },
  ...{ LTS: 'h:mm:ss a', LT: 'h:mm a', LLLL: 'cccc, LLLL d, yyyy h:mm a' },
  ...{ LLL: 'LLLL d, yyyy h:mm a', LL: 'LLLL d, yyyy', L: 'LL/dd/yyyy' },
  ...{
    llll: 'ccc, LLL d, yyyy h:mm a',
    lll: 'LLL d, yyyy h:mm a',
    ll: 'LLL d, yyyy',
    l: 'L/d/yyyy',
  },
};

/** What Luxon has no sign for. */
const OWN: Readonly<Record<string, (date: DateTime) => string>> = {
  Do: (date) => ordinal(date.day),
  Mo: (date) => ordinal(date.month),
  Qo: (date) => ordinal(date.quarter),
  DDDo: (date) => ordinal(date.ordinal),
  dd: (date) => date.toFormat('ccc').slice(0, 2),
  d: (date) => String(date.weekday % 7),
  e: (date) => String(date.weekday % 7),
  a: (date) => date.toFormat('a').toLowerCase(),
  kk: (date) => String(date.hour === 0 ? 24 : date.hour).padStart(2, '0'),
  k: (date) => String(date.hour === 0 ? 24 : date.hour),
  w: (date) => String(weekFromSunday(date)),
  ww: (date) => String(weekFromSunday(date)).padStart(2, '0'),
};

const SIGNS = new RegExp(
  `\\[([^\\]]*)\\]|\\\\(.)|(${[...Object.keys(SAME), ...Object.keys(OWN)]
    .toSorted((one, other) => other.length - one.length)
    .join('|')})`,
  'g',
);

function ordinal(number: number): string {
  const last = number % 10;
  const isTeen = Math.floor((number % 100) / 10) === 1;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][last] ?? 'th');
  return `${number}${ending}`;
}

/** The week of the year where weeks begin on Sunday and the first has the first of January. */
function weekFromSunday(date: DateTime): number {
  const week = Math.floor((date.ordinal - 1 + (date.startOf('year').weekday % 7)) / 7) + 1;
  const isNextYears = date.plus({ days: 6 - (date.weekday % 7) }).year > date.year;
  return isNextYears ? 1 : week;
}

/** Writes a date in a format of version 1 of the step. */
export function inOldFormat(date: DateTime, format: string): string {
  return format.replaceAll(SIGNS, (whole, bracketed?: string, escaped?: string) => {
    const own = OWN[whole];
    const same = SAME[whole];
    if (own !== undefined) return own(date);
    return same === undefined ? (bracketed ?? escaped ?? whole) : date.toFormat(same);
  });
}

/** A format of version 1 as Luxon reads dates by it. */
export function readingFormat(format: string): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  return format.replaceAll(SIGNS, (whole, bracketed?: string, escaped?: string) => {
    const text = bracketed ?? escaped;
    if (text !== undefined) return text === '' ? '' : quoted(text);
    if (whole === 'Do') return 'd';
    return whole === 'a' ? 'a' : (SAME[whole] ?? whole);
  });
}
