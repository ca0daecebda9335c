import { StartRefusal } from '../kernel/start-refusal.ts';

/** The variables of a process; an empty one counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

const ALIASES: readonly (readonly [ours: string, reference: string])[] = [
  ['PLATFORM_', 'KNEO_'],
  ['DASH_', 'KNEO_DASH_'],
];

function aliasOf(name: string): string | undefined {
  const row = ALIASES.find(([prefix]) => name.startsWith(prefix));
  return row === undefined ? undefined : `${row[1]}${name.slice(row[0].length)}`;
}

/** Reads a variable by our name, else by the reference's name for it (contract/dashboard.md 1 S7). */
export function readText(env: Environment, name: string): string | undefined {
  const alias = aliasOf(name);
  for (const key of [name, alias]) {
    const value = key === undefined ? undefined : env[key]?.trim();
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** A number of at least `min`; `exclusive` leaves the bound itself out. */
export function readNumber(
  env: Environment,
  name: string,
  standard: number,
  bound: { min: number; exclusive?: boolean },
): number {
  const text = readText(env, name);
  if (text === undefined) return standard;
  const value = Number(text);
  const low = bound.exclusive === true ? value <= bound.min : value < bound.min;
  if (!Number.isFinite(value) || low) {
    throw new StartRefusal(`${name} must be a number of at least ${bound.min}.`);
  }
  return value;
}

/** A boolean variable: 1, true, yes, on and their opposites. */
export function readBoolean(env: Environment, name: string, standard: boolean): boolean {
  const text = readText(env, name)?.toLowerCase();
  if (text === undefined) return standard;
  if (['1', 'true', 'yes', 'on'].includes(text)) return true;
  if (['0', 'false', 'no', 'off'].includes(text)) return false;
  throw new StartRefusal(`${name} must be true or false.`);
}

/** One of a closed list of words. */
export function readChoice<Word extends string>(
  env: Environment,
  name: string,
  words: readonly Word[],
  standard: Word,
): Word {
  const text = readText(env, name);
  if (text === undefined) return standard;
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw new StartRefusal(`${name} must be one of ${words.join(', ')}.`);
  return word;
}

/** A JSON value; invalid JSON refuses the start. */
export function readJson(env: Environment, name: string): unknown {
  const text = readText(env, name);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new StartRefusal(`${name} is not valid JSON.`);
  }
}
