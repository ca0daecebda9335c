import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import type { ExternalDatabase } from '../contract/database.ts';
import { lockKey } from './migrate-postgres.ts';
import { toOpenError } from './postgres-error.ts';
import { connectionOptions } from './postgres-pool.ts';
import { StoreError } from './store-error.ts';

/** The word of an external database that no other process serves from it. */
export interface StoreHold {
  /** False while the connection that has it is broken, or another process took it meanwhile. */
  readonly isHeld: boolean;
  release(): Promise<void>;
}

/** How long a predecessor may still be ending, in milliseconds. */
const WAIT_MS = 3_000;
const BETWEEN_TRIES_MS = 250;
const AGAIN_MS = 1_000;

/**
 * The lock ends with its transaction, which stays open as long as the process serves: so it also holds
 * behind a pooler of transactions. A process that is cut off loses it within half a minute.
 */
const TAKE = [
  'BEGIN',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
  'SET LOCAL tcp_keepalives_idle = 10',
  'SET LOCAL tcp_keepalives_interval = 5',
  'SET LOCAL tcp_keepalives_count = 3',
];

/** A connection that has the lock; undefined where another has it. */
async function take(options: ClientConfig, key: string): Promise<Client | undefined> {
  const client = new Client(options);
  // Between two statements; whoever waits for one is told by its rejection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const statement of TAKE) await client.query(statement);
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1::bigint) AS taken',
      [key],
    );
    if (rows[0]?.taken === true) return client;
  } catch (error) {
    await client.end();
    throw error;
  }
  await client.end();
  return undefined;
}

async function takeSoon(options: ClientConfig, key: string): Promise<Client | undefined> {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const client = await take(options, key);
    if (client !== undefined || performance.now() > until) return client;
    await sleep(BETWEEN_TRIES_MS);
  }
}

/** Keeps the lock; takes it again when its connection breaks. */
class Hold implements StoreHold {
  readonly #again: () => Promise<Client | undefined>;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(client: Client, again: () => Promise<Client | undefined>) {
    this.#again = again;
    this.#keep(client);
  }

  get isHeld(): boolean {
    return this.#client !== undefined;
  }

  #keep(client: Client): void {
    this.#client = client;
    client.once('end', () => {
      this.#client = undefined;
      this.#retry();
    });
  }

  #retry(): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(async () => {
      // A database that is away comes back; until then nothing can be written there either.
      const client = await this.#again().catch(() => undefined);
      if (client === undefined) this.#retry();
      else if (this.#isOver) await client.end();
      else this.#keep(client);
    }, AGAIN_MS);
    this.#timer.unref();
  }

  async release(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#client?.end();
  }
}

/**
 * Makes this process the only one that serves from an external database, as the lock of a data folder
 * does for files.
 * @throws StoreError `store_locked` when another process serves from it; StartRefusal for a file of
 * authorities that cannot be read
 */
export async function holdPostgres(store: string, external: ExternalDatabase): Promise<StoreHold> {
  const key = lockKey(`${store} in use`);
  const options = connectionOptions(external);
  try {
    const client = await takeSoon(options, key);
    if (client !== undefined) return new Hold(client, () => take(options, key));
  } catch (error) {
    throw toOpenError(store, error);
  }
  throw new StoreError(
    'store_locked',
    `The ${store} database is in use by another process that serves from it. Stop that one, or give ` +
      'this one a database of its own.',
  );
}
