// The globals of code: what the source's runner has, and nothing else of a process.
import { atob, btoa, GuestBuffer, TextDecoder, TextEncoder } from './buffer.ts';
import { inWords, lineOf } from './engine-words.ts';
import { LUXON } from './extensions/extend.ts';
import { askHost } from './host.ts';
import { OwnError } from './own-error.ts';

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const timers = new Map<number, { run: () => void; every: number | null }>();
const pending = new Map<number, Pending>();
const state = { next: 1 };

function startTimer(
  run: (...words: unknown[]) => void,
  ms: unknown,
  every: boolean,
  words: unknown[],
) {
  const id = state.next;
  state.next += 1;
  const delay = Math.max(0, Number(ms) || 0);
  timers.set(id, { run: () => run(...words), every: every ? delay : null });
  askHost('timer', [id, delay]);
  return id;
}

/** A timer is due: the host says so. */
export function fireTimer(id: number): void {
  const timer = timers.get(id);
  if (timer === undefined) return;
  if (timer.every === null) timers.delete(id);
  else askHost('timer', [id, timer.every]);
  timer.run();
}

/** What was asked of the host is answered. */
export function settle(id: number, isDone: boolean, text: string): void {
  const waiting = pending.get(id);
  pending.delete(id);
  const value = JSON.parse(text) as unknown;
  if (isDone) waiting?.resolve(value);
  else waiting?.reject(new Error(String(value)));
}

/** Asks for what takes time. */
export function askLater(service: string, argument: unknown): Promise<unknown> {
  const id = state.next;
  state.next += 1;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    askHost('later', [id, service, argument ?? null]);
  });
}

function logged(words: unknown[]): void {
  const shown = words.map((word) => {
    if (typeof word === 'string') return word;
    try {
      return JSON.stringify(word) ?? String(word);
    } catch {
      return String(word);
    }
  });
  askHost('log', shown.join(' '));
}

function log(...words: unknown[]): void {
  logged(words);
}

function disallowed(name: unknown): never {
  const line = lineOf(new Error('here'));
  const where = line === null ? '' : ` [line ${line}]`;
  throw new OwnError(`Module '${String(name)}' is disallowed${where}`);
}

const GLOBALS: Readonly<Record<string, unknown>> = {
  ...LUXON,
  Buffer: GuestBuffer,
  TextDecoder,
  TextEncoder,
  atob,
  btoa,
  console: { log, info: log, warn: log, error: log, debug: log, table: log, trace: log },
  require: disallowed,
  module: { exports: {} },
  exports: {},
  setTimeout: (run: () => void, ms?: unknown, ...words: unknown[]) =>
    startTimer(run, ms, false, words),
  setInterval: (run: () => void, ms?: unknown, ...words: unknown[]) =>
    startTimer(run, ms, true, words),
  setImmediate: (run: () => void, ...words: unknown[]) => startTimer(run, 0, false, words),
  clearTimeout: (id: number) => void timers.delete(id),
  clearInterval: (id: number) => void timers.delete(id),
  clearImmediate: (id: number) => void timers.delete(id),
  queueMicrotask: (run: () => void) => void Promise.resolve().then(run),
  $inWords: inWords,
};

const baseline = new Set<string>();
/** The names of the globals when nothing was left behind. */
const tidy = { count: 0, names: '' };

function remember(names: readonly string[]): void {
  tidy.count = names.length;
  tidy.names = names.join();
}

/** Puts the globals in their places and remembers them. */
export function installGlobals(): void {
  for (const [name, value] of Object.entries(GLOBALS))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  const names = Object.getOwnPropertyNames(globalThis);
  for (const name of names) baseline.add(name);
  remember(names);
}

/** What code is given under names that the next code may not have. */
const GIVEN = ['items', 'item'];

/** Takes away what the last code left behind. */
export function tidyGlobals(): void {
  timers.clear();
  pending.clear();
  const here = globalThis as Record<string, unknown>;
  for (const name of GIVEN) delete here[name];
  const names = Object.getOwnPropertyNames(globalThis);
  // One comparison tells that nothing was left, which is most often so.
  if (names.length === tidy.count && names.join() === tidy.names) return;
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] as string;
    if (!baseline.has(name)) delete here[name];
  }
  remember(Object.getOwnPropertyNames(globalThis));
}
