import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  DATABASE_SETTINGS,
  databaseAddress,
  type ExternalDatabase,
  externalDatabase,
  isPostgresAddress,
} from '../contract/database.ts';
import { type Environment, readSettings } from '../contract/settings.ts';
import { realignGeneration } from '../dashboard/recovery/recovery.ts';
import { sha256Hex } from '../kernel/sha256.ts';
import type { CopySource, CopyTarget } from '../store/copy/copy-side.ts';
import { copyStoreBetween, type TableReport } from '../store/copy/copy-store-between.ts';
import { openFileSource, openFileTarget } from '../store/copy/open-file-sides.ts';
import type { AppFiles } from './app-root.ts';
import { prepareDataFolder } from './data-folder.ts';
import { HostRefusal } from './host-refusal.ts';
import { lockDataFolder, type StoreName } from './instance-lock.ts';
import { STORE_PLACES } from './store-backup.ts';

/** One store that goes from one place to another: a data folder, or the address of a database. */
export interface TransferOrder {
  readonly store: StoreName;
  readonly from: string;
  readonly to: string;
}

export interface TransferDeps {
  readonly env: Environment;
  readonly files: AppFiles;
  now(): number;
  /** Is told how many rows of a table are there now. */
  onProgress?(table: string, rows: number): void;
}

/** What a copy holds, compared with its source. */
export interface Transferred {
  readonly store: StoreName;
  readonly tables: readonly TableReport[];
  readonly rows: number;
}

/** How long a service that is ending may still have the folder, in milliseconds. */
const WAIT = 3_000;
const PREFIXES: Readonly<Record<StoreName, string>> = {
  platform: 'SERV_',
  dashboard: 'DASH_',
  studio: 'STUDIO_',
};
/** Names the variable that holds an address, since other users see the words of a command line. */
const FROM_VARIABLE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

type Place = { readonly folder: string } | { readonly external: ExternalDatabase };

function addressOf(word: string, env: Environment): string {
  const name = FROM_VARIABLE.exec(word)?.[1];
  if (name === undefined) return word;
  const address = env[name];
  if (address !== undefined && isPostgresAddress(address)) return address;
  throw new HostRefusal('configuration', `${name} does not hold the address of a PostgreSQL.`);
}

function placeOf(word: string, store: StoreName, env: Environment): Place {
  const given = addressOf(word, env);
  if (!isPostgresAddress(given)) return { folder: path.resolve(given) };
  const address = databaseAddress.schema.safeParse(given);
  const prefix = PREFIXES[store];
  const group = { title: store, prefix, alias: undefined, settings: DATABASE_SETTINGS };
  const external = address.success
    ? externalDatabase(address.data, readSettings(group, env))
    : undefined;
  if (external !== undefined) return { external };
  throw new HostRefusal('configuration', `The address must be ${databaseAddress.form}.`);
}

function identityOf(place: Place): string {
  if ('folder' in place) return sha256Hex(`folder ${place.folder}`);
  const { host, port, database } = place.external.address;
  return sha256Hex(`database ${host} ${port} ${database}`);
}

interface Opened<Side> {
  readonly side: Side;
  /** Puts a whole copy in its place. */
  place?(): Promise<void>;
  close(): Promise<void>;
}

/** Locks the folder while a side of it is open. @throws HostRefusal data_in_use */
async function inFolder<Side extends CopySource>(
  folder: string,
  store: StoreName,
  open: () => Omit<Opened<Side>, 'close'>,
): Promise<Opened<Side>> {
  const lock = lockDataFolder(folder, WAIT, [store]);
  try {
    const opened = open();
    return {
      ...opened,
      async close() {
        await opened.side.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openSource(
  place: Place,
  store: StoreName,
  migrations: string,
): Promise<Opened<CopySource>> {
  if ('external' in place) {
    const { openPostgresSource } = await import('../store/copy/open-postgres-sides.ts');
    const side = await openPostgresSource({ store, external: place.external, migrations });
    return { side, close: side.close };
  }
  const file = path.join(place.folder, STORE_PLACES[store]);
  if (!existsSync(file)) {
    throw new HostRefusal('store', `There is no ${store} store in ${place.folder}.`);
  }
  return inFolder(place.folder, store, () => ({
    side: openFileSource({ store, file, migrations }),
  }));
}

async function openTarget(
  place: Place,
  store: StoreName,
  migrations: string,
  now: () => number,
): Promise<Opened<CopyTarget>> {
  if ('external' in place) {
    const { openPostgresTarget } = await import('../store/copy/open-postgres-sides.ts');
    const { external } = place;
    const side = await openPostgresTarget({ store, external, migrations }, now());
    return { side, close: side.close };
  }
  const file = path.join(place.folder, STORE_PLACES[store]);
  prepareDataFolder(place.folder);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  return inFolder(place.folder, store, () => {
    const { target, place: put } = openFileTarget({ store, file, migrations }, now());
    return {
      side: target,
      place: () =>
        put((sqlite) => {
          // It is the state that was served last, not one that somebody put back.
          if (store === 'dashboard') realignGeneration({ sqlite, databaseFile: file, now });
        }),
    };
  });
}

/**
 * Copies a store between a data folder and a database, or two of a kind, while nothing serves from
 * them. A copy that was stopped goes on where it was when the same is asked again.
 * @throws HostRefusal, StoreError, StartRefusal
 */
export async function transferStore(
  { store, from, to }: TransferOrder,
  deps: TransferDeps,
): Promise<Transferred> {
  const [given, wanted] = [placeOf(from, store, deps.env), placeOf(to, store, deps.env)];
  if (identityOf(given) === identityOf(wanted)) {
    throw new HostRefusal('configuration', 'Source and target are the same. Give --to another.');
  }
  const migrations = path.join(deps.files.migrations, store);
  const source = await openSource(given, store, migrations);
  try {
    const target = await openTarget(wanted, store, migrations, deps.now);
    try {
      const tables = await copyStoreBetween(source.side, target.side, {
        source: identityOf(given),
        ...(deps.onProgress === undefined ? {} : { onProgress: deps.onProgress }),
      });
      await target.place?.();
      return { store, tables, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
