import type { ExternalDatabase } from '../../contract/database.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { holdPostgres } from '../hold-postgres.ts';
import { migratePostgres, type PostgresState, readPostgresState } from '../migrate-postgres.ts';
import { olderStore, postgresMigrations } from '../migration-files.ts';
import { toOpenError } from '../postgres-error.ts';
import { openPool } from '../postgres-pool.ts';
import { StoreError } from '../store-error.ts';
import type { StoreName } from '../store-step.ts';
import { copySourceOfPostgres, copyTargetOfPostgres } from './copy-postgres.ts';
import type { CopySource, CopyTarget } from './copy-side.ts';

interface PostgresPlace {
  readonly store: StoreName;
  readonly external: ExternalDatabase;
  /** Folder of the migrations of the store that is a file. */
  readonly migrations: string;
}

/** Does something with the database while no studio, and no other copy, has it. */
async function held<Side extends CopySource>(
  { store, external }: PostgresPlace,
  open: () => Promise<Side>,
): Promise<Side> {
  const hold = external.locks === 'advisory' ? await holdPostgres(store, external) : undefined;
  try {
    const side = await open();
    const close = side.close.bind(side);
    side.close = async () => {
      await close();
      await hold?.release();
    };
    return side;
  } catch (error) {
    await hold?.release();
    throw toOpenError(store, error);
  }
}

async function withPool<T>(
  place: PostgresPlace,
  work: (pool: ReturnType<typeof openPool>, state: PostgresState) => Promise<T>,
): Promise<T> {
  const { store, external, migrations } = place;
  const pool = openPool(external, () => undefined);
  try {
    const folder = postgresMigrations(migrations);
    const state = await readPostgresState(pool, { store, folder, pooler: external.pooler });
    return await work(pool, state);
  } finally {
    await pool.end();
  }
}

/** A store in an external database, to be read. @throws StoreError, StartRefusal */
export function openPostgresSource(place: PostgresPlace): Promise<CopySource> {
  return held(place, async () => {
    await withPool(place, async (_pool, { isEmpty, isNewest, isHalfCopied }) => {
      if (isEmpty) {
        throw new StoreError('copy_refused', `There is no ${place.store} store in the source.`);
      }
      if (isHalfCopied) {
        throw new StoreError('store_half_copied', 'A copy into the source itself did not end.');
      }
      if (!isNewest) throw olderStore(place.store);
    });
    return copySourceOfPostgres(place.external);
  });
}

/** An external database that is filled, with its tables made. @throws StoreError, StartRefusal */
export function openPostgresTarget(place: PostgresPlace, now: number): Promise<CopyTarget> {
  const { store, external, migrations } = place;
  return held(place, async () => {
    await withPool(place, async (pool, { isEmpty, isNewest }) => {
      if (isNewest) return;
      if (!isEmpty) throw olderStore(store);
      const folder = postgresMigrations(migrations);
      await migratePostgres(pool, {
        ...{ store, folder, now: toTimestamp(now), locks: external.locks },
        pooler: external.pooler,
      });
    });
    return copyTargetOfPostgres(external);
  });
}
