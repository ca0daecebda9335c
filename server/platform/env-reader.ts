import { StartRefusal } from '../kernel/start-refusal.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const TRUTHY = new Set(['1', 'true', 'yes', 'on']);
const FALSY = new Set(['0', 'false', 'no', 'off']);

/** Bounds of a number read from the environment. */
interface Bounds {
  readonly fallback: number;
  readonly min?: number;
  /** The minimum itself is refused. */
  readonly above?: boolean;
  readonly integer?: boolean;
  /** A larger number counts as this one. */
  readonly most?: number;
}

/** Reads `SERV_…` variables; the `KNEO_SERV_…` spelling is the fallback of each (contract/platform.md 12). */
export interface EnvReader {
  text(name: string): string | undefined;
  flag(name: string, fallback: boolean): boolean;
  /** One of a closed list of words, in any case. */
  word<Word extends string>(name: string, words: readonly Word[], fallback: Word): Word;
  number(name: string, bounds: Bounds): number;
  optionalNumber(name: string, bounds: Omit<Bounds, 'fallback'>): number | undefined;
  list(name: string): string[];
}

function check(name: string, raw: string, bounds: Omit<Bounds, 'fallback'>): number {
  const value = Number(raw.trim());
  const min = bounds.min ?? Number.NEGATIVE_INFINITY;
  const low = bounds.above === true ? value <= min : value < min;
  if (!Number.isFinite(value) || low || (bounds.integer === true && !Number.isInteger(value))) {
    const kind = bounds.integer === true ? 'an integer' : 'a number';
    const than = bounds.above === true ? 'greater than' : 'of at least';
    throw new StartRefusal(
      `${name} must be ${kind}${Number.isFinite(min) ? ` ${than} ${min}` : ''}.`,
    );
  }
  return Math.min(value, bounds.most ?? Number.POSITIVE_INFINITY);
}

/** @throws StartRefusal from its readers when a value is malformed. */
export function createEnvReader(env: Environment): EnvReader {
  const text = (name: string): string | undefined => {
    const own = env[`SERV_${name}`];
    const value = own === undefined || own === '' ? env[`KNEO_SERV_${name}`] : own;
    return value === undefined || value.trim() === '' ? undefined : value;
  };
  const optionalNumber = (name: string, bounds: Omit<Bounds, 'fallback'>): number | undefined => {
    const raw = text(name);
    return raw === undefined ? undefined : check(`SERV_${name}`, raw, bounds);
  };
  return {
    text,
    optionalNumber,
    number: (name, bounds) => optionalNumber(name, bounds) ?? bounds.fallback,
    flag: (name, fallback) => {
      const word = text(name)?.trim().toLowerCase();
      if (word === undefined) return fallback;
      if (TRUTHY.has(word) || FALSY.has(word)) return TRUTHY.has(word);
      throw new StartRefusal(`SERV_${name} must be one of 1, true, yes, on, 0, false, no, off.`);
    },
    word: (name, words, fallback) => {
      const given = text(name)?.trim().toLowerCase();
      if (given === undefined) return fallback;
      const known = words.find((word) => word.toLowerCase() === given);
      if (known !== undefined) return known;
      throw new StartRefusal(`SERV_${name} must be one of ${words.join(', ')}.`);
    },
    list: (name) =>
      (text(name) ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
  };
}
