import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StoreError } from './store-error.ts';

/** A step of a store's schema, as its file says it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
  /**
   * Programs whose newest step has this number or a higher one work with a store that has taken this
   * step: the number of the step itself, unless its first line says `-- compatible: yes`.
   */
  readonly requires: number;
}

/** A row of a store's ledger: a step that it has taken. */
export interface Applied {
  readonly version: number;
  readonly name: string;
  readonly sha256: string;
  /** Absent or null = `version`. */
  readonly requires?: number | null;
}

/** Where the migrations of an external store stand: beside those of the store that is a file. */
export function postgresMigrations(migrations: string): string {
  return path.join(path.dirname(migrations), 'postgres', path.basename(migrations));
}

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;
const COMPATIBLE = /^-- compatible: yes$/;

/** True for a step with whose store programs that do not know it go on working. */
export function isCompatible(sql: string): boolean {
  return COMPATIBLE.test(sql.slice(0, sql.indexOf('\n')).trimEnd());
}

/** The migrations of a folder in their order. @throws StoreError for one that is not named or numbered as it must be. */
export function readMigrations(folder: string, store: string): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  let requires = 0;
  const migrations = files.sort().map((file): Migration => {
    const match = FILE_NAME.exec(file);
    if (match?.[1] === undefined || match[2] === undefined) {
      throw new StoreError(
        'migration_failed',
        `The ${store} migration ${file} is not named NNNN_what.sql.`,
      );
    }
    const sql = readFileSync(path.join(folder, file), 'utf8');
    const sha256 = createHash('sha256').update(sql).digest('hex');
    const version = Number(match[1]);
    if (!isCompatible(sql)) requires = version;
    return { version, name: match[2], sql, sha256, requires };
  });
  const twice = migrations.find(
    ({ version }, index) => version === (migrations[index - 1]?.version ?? 0),
  );
  if (twice !== undefined) {
    throw new StoreError(
      'migration_failed',
      `The ${store} migrations have the number ${twice.version} twice.`,
    );
  }
  return migrations;
}

/** The number of the newest migration of a folder; what a store has that this program opened. */
export function newestMigration(folder: string, store: string): number {
  return readMigrations(folder, store).at(-1)?.version ?? 0;
}

function newerStore(store: string, has: string, knows: number): StoreError {
  return new StoreError(
    'store_newer',
    `The ${store} database has schema version ${has}, this program knows ${knows}. ` +
      'Start the newer program, or restore a backup from before the upgrade.',
  );
}

/** Refuses a store whose steps are not those of this program. */
function refuseEdited(
  store: string,
  applied: readonly Applied[],
  known: readonly Migration[],
): void {
  const hashes = new Map(known.map(({ version, sha256 }) => [version, sha256]));
  for (const row of applied) {
    if (hashes.get(row.version) !== row.sha256) {
      throw new StoreError(
        'migration_edited',
        `Migration ${row.version} of the ${store} database is not the one that was applied. ` +
          'Reinstall the program that made the database.',
      );
    }
  }
}

/** Refuses a store that has more steps than this program, or others. */
export function refuseUnknown(
  store: string,
  applied: readonly Applied[],
  known: readonly Migration[],
): void {
  const newest = applied.at(-1)?.version ?? 0;
  const latest = known.at(-1)?.version ?? 0;
  if (newest > latest) throw newerStore(store, String(newest), latest);
  refuseEdited(store, applied, known);
}

/** As `refuseUnknown`, but steps of a newer program pass that programs of this version work with. */
export function refuseIncompatible(
  store: string,
  applied: readonly Applied[],
  known: readonly Migration[],
): void {
  const latest = known.at(-1)?.version ?? 0;
  const newer = applied.filter(({ version }) => version > latest);
  const least = Math.max(0, ...newer.map(({ version, requires }) => requires ?? version));
  if (least > latest) {
    const newest = applied.at(-1)?.version ?? 0;
    const has = least === newest ? String(newest) : `${newest} (for programs that know ${least})`;
    throw newerStore(store, has, latest);
  }
  refuseEdited(store, applied.slice(0, applied.length - newer.length), known);
}

/** The steps that a store has not taken yet. */
export function pendingOf(
  applied: readonly Applied[],
  known: readonly Migration[],
): readonly Migration[] {
  const done = new Set(applied.map(({ version }) => version));
  return known.filter(({ version }) => !done.has(version));
}

/** What to say of a store that is read only, and that an older program left. */
export function olderStore(store: string): StoreError {
  return new StoreError(
    'copy_refused',
    `The ${store} database is not at the schema version of this program. Start its service once, so ` +
      'that it is brought up to date, and try again.',
  );
}

/** What to say of a step that failed. */
export function failedMigration(store: string, { version, name }: Migration, error: unknown) {
  return new StoreError(
    'migration_failed',
    `Migration ${version} (${name}) of the ${store} database failed. ` +
      'Nothing of it was kept; report this with the log.',
    error,
  );
}
