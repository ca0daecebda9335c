import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { StoreSchemas } from '../contract/stores.ts';
import { readDashboardConfig } from '../dashboard/config.ts';
import { readmitCopy } from '../dashboard/recovery/recovery.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import { readPlatformConfig } from '../platform/config.ts';
import {
  listCopies,
  putCopyBack,
  removeCopy,
  type StoreCopy,
  schemaOf,
  withCopy,
} from '../store/store-copies.ts';
import { readStudioConfig } from '../studio/config.ts';
import { HostRefusal } from './host-refusal.ts';
import type { StoreName } from './instance-lock.ts';
import { readProgramVersions } from './program-versions.ts';

/** A store that is a file. */
export interface StoreFile {
  readonly name: StoreName;
  readonly file: string;
}

/** A store with the copies beside it, for people. */
export interface StoreReport {
  readonly name: StoreName;
  readonly file: string;
  readonly bytes: number;
  /** Its newest migration; null for a store that cannot be read. */
  readonly schema: number | null;
  readonly copies: readonly {
    readonly kind: StoreCopy['kind'];
    readonly file: string;
    readonly bytes: number;
    readonly made_at: string;
  }[];
}

/** A version that the stores can be put back to. */
export interface EarlierVersion {
  readonly version: string;
  readonly schemas: StoreSchemas;
  /** Stores that a copy is put back for; the others need none. */
  readonly stores: readonly StoreName[];
}

/** What going back did. */
export interface WentBack {
  readonly version: string;
  readonly stores: readonly {
    readonly name: StoreName;
    readonly made_at: string;
    /** Where the newer store stands now. */
    readonly kept: string | null;
  }[];
  /** The dashboard will lock itself down: who may do what changed since the copy, or cannot be read. */
  readonly locked: boolean;
}

export interface StoresDeps {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** That of the running program. */
  readonly version: string;
  now(): number;
}

/** Stores that are set to be databases of their own. */
export function externalStores(env: StoresDeps['env']): StoreName[] {
  const stores: StoreName[] = [];
  if (readPlatformConfig(env).external !== undefined) stores.push('platform');
  if (readDashboardConfig(env).external !== undefined) stores.push('dashboard');
  if (readStudioConfig(env).external !== undefined) stores.push('studio');
  return stores;
}

/** Where the stores of a data folder that are files are, whether they are there yet or not. */
export function storeFiles({ folder, env }: StoresDeps): StoreFile[] {
  const external = externalStores(env);
  const files: StoreFile[] = [
    { name: 'platform', file: readPlatformConfig(env).databasePath ?? inside(folder, 'platform') },
    {
      name: 'dashboard',
      file: readDashboardConfig(env).databaseFile ?? inside(folder, 'dashboard'),
    },
    { name: 'studio', file: inside(path.join(folder, 'studio'), 'studio') },
  ];
  return files.filter(({ name }) => !external.includes(name));
}

function inside(folder: string, name: string): string {
  return path.join(folder, `${name}.db`);
}

/** The stores of a data folder, with every copy that stands beside them. */
export function reportStores(deps: StoresDeps): StoreReport[] {
  const present = storeFiles(deps).filter(({ file }) => existsSync(file));
  return present.map(({ name, file }) => ({
    name,
    file,
    bytes: statSync(file).size,
    schema: schemaOf(file) ?? null,
    copies: listCopies(file).map((copy) => ({
      kind: copy.kind,
      file: copy.file,
      bytes: copy.bytes,
      made_at: toTimestamp(copy.madeAt),
    })),
  }));
}

/** The copy that is the store as the migration `schema` left it. */
function copyAt(file: string, schema: number): StoreCopy | undefined {
  return listCopies(file).find(({ kind, number }) => kind === 'before' && number === schema + 1);
}

interface Step extends StoreFile {
  /** Undefined where the copy is missing. */
  readonly copy: StoreCopy | undefined;
}

/** Undefined where a store is older than that version left it. */
function stepsTo(deps: StoresDeps, schemas: StoreSchemas): Step[] | undefined {
  const steps: Step[] = [];
  for (const { name, file } of storeFiles(deps)) {
    if (!existsSync(file)) continue;
    const now = schemaOf(file);
    const wanted = schemas[name];
    if (now !== undefined && now < wanted) return undefined;
    if (now !== wanted) steps.push({ name, file, copy: copyAt(file, wanted) });
  }
  return steps;
}

/** The latest version before the running one that every store can be put back to, if there is one. */
export function findEarlierVersion(
  deps: StoresDeps,
  wanted: string | undefined = undefined,
): EarlierVersion | undefined {
  for (const { version, schemas } of readProgramVersions(deps.folder).toReversed()) {
    if (version === deps.version || (wanted ?? version) !== version) continue;
    const steps = stepsTo(deps, schemas);
    if (steps?.every(({ copy }) => copy !== undefined)) {
      return { version, schemas, stores: steps.map(({ name }) => name) };
    }
  }
  return undefined;
}

/** Without a proof that nobody's rights were taken since, the dashboard locks itself down. */
function isReadmitted(copyFile: string, file: string, { now }: StoresDeps): boolean {
  const readmit = withCopy(copyFile, file, (copy, store) =>
    readmitCopy(
      { sqlite: copy, databaseFile: copyFile, now },
      { sqlite: store, databaseFile: file, now },
    ),
  );
  return readmit ?? false;
}

/**
 * Puts the stores back as an earlier version left them. Each is put back in one step; after a kill
 * between two, the same again does the rest. The caller holds the data folder.
 * @throws HostRefusal when no version, or not the named one, can be gone back to
 */
export function goBack(deps: StoresDeps, wanted: string | undefined): WentBack {
  const earlier = findEarlierVersion(deps, wanted);
  const steps = earlier === undefined ? undefined : stepsTo(deps, earlier.schemas);
  if (earlier === undefined || steps === undefined) {
    throw new HostRefusal(
      'store',
      `There is no copy of the stores from ${wanted === undefined ? 'a version' : `version ${wanted}`} ` +
        'before this one. "specwright stores list" shows the copies that there are.',
    );
  }
  let locked = false;
  const stores = steps.flatMap(({ name, file, copy }) => {
    if (copy === undefined) return [];
    if (name === 'dashboard') locked = !isReadmitted(copy.file, file, deps);
    const kept = putCopyBack(name, file, copy) ?? null;
    return [{ name, made_at: toTimestamp(copy.madeAt), kept }];
  });
  return { version: earlier.version, stores, locked };
}

/** Removes every copy beside the stores; answers how many bytes that freed. */
export function removeCopies(deps: StoresDeps): number {
  let freed = 0;
  for (const { file } of storeFiles(deps)) {
    for (const copy of listCopies(file)) {
      removeCopy(copy);
      freed += copy.bytes;
    }
  }
  return freed;
}
