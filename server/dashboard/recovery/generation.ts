import { existsSync, readFileSync, rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { makeFileSync, placeFileSync } from '../../files/durable-write.ts';
import { isObject } from '../../kernel/json.ts';
import { overwriteSetting, readSettingText } from '../settings/settings-repository.ts';
import { writeDurably } from './writes-sqlite.ts';

/**
 * A counter of starts that stands in the store and in a file beside it (contract/dashboard.md 16):
 * a store that was put back from a copy lags behind its file, or has none.
 */
export interface Generation {
  /** What stands in the store; undefined = no row, NaN = a row that holds no counter. */
  readonly row: number | undefined;
  /** What stands beside it; undefined = no file, NaN = a file that holds no counter. */
  readonly sidecar: number | undefined;
}

/** What a store and the file beside it say together. */
export type StoreHistory = 'first' | 'normal' | 'restored';

const NAMESPACE = 'meta' as const;
const KEY = 'db_generation';

function sidecarOf(databaseFile: string): string {
  return `${databaseFile}.generation`;
}

function counterIn(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  } catch {
    // A file that cannot be read counts as one without a counter.
    return Number.NaN;
  }
}

function counterOf(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    const n = isObject(value) ? value['n'] : undefined;
    return typeof n === 'number' && Number.isSafeInteger(n) && n > 0 ? n : Number.NaN;
  } catch {
    // A row that is no JSON holds no counter.
    return Number.NaN;
  }
}

function readRow(sqlite: BetterSqlite3.Database): number | undefined {
  const text = readSettingText(sqlite, NAMESPACE, KEY);
  return text === undefined ? undefined : counterOf(text);
}

/** Reads both counters. A start that was killed between them has left the file under its other name. */
export function readGeneration(sqlite: BetterSqlite3.Database, databaseFile: string): Generation {
  const row = readRow(sqlite);
  const sidecar = counterIn(sidecarOf(databaseFile));
  if (sidecar !== undefined || row === undefined) return { row, sidecar };
  return { row, sidecar: counterIn(`${sidecarOf(databaseFile)}.new`) === row ? row : undefined };
}

/** Whether the store is new, the one that was last served, or one that was put back. */
export function storeHistory({ row, sidecar }: Generation): StoreHistory {
  if (sidecar === undefined) return row === undefined ? 'first' : 'restored';
  if (Number.isNaN(sidecar) || sidecar <= 0) return 'restored';
  return row !== undefined && row >= sidecar ? 'normal' : 'restored';
}

/** The greater of both counters; 0 = neither holds one. */
export function greatest({ row, sidecar }: Generation): number {
  return Math.max(...[row, sidecar].map((n) => (n === undefined || Number.isNaN(n) ? 0 : n)));
}

/**
 * Writes a counter into the store and into the file beside it, the store first and for good: one that
 * lagged behind its file would count as put back.
 */
export function writeGeneration(
  sqlite: BetterSqlite3.Database,
  databaseFile: string,
  n: number,
  now: string,
): void {
  const file = sidecarOf(databaseFile);
  rmSync(`${file}.new`, { force: true });
  makeFileSync(`${file}.new`, `${n}\n`, 0o600);
  const setting = { namespace: NAMESPACE, key: KEY, value: { n }, operator: 'dashboard', now };
  writeDurably(sqlite, () => overwriteSetting(sqlite, setting));
  placeFileSync(`${file}.new`, file);
}
