import {
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type PostgresQueryResult,
  type PrimitiveValueListNode,
  type TransactionSettings,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isUnreachable, toPostgresError } from './postgres-error.ts';
import { encodeText } from './postgres-text.ts';

/** A value as the driver may send it. */
function bound(value: unknown): unknown {
  if (typeof value === 'string') return encodeText(value);
  // Truth values are numbers in every store.
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value;
}

async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toPostgresError(error);
  }
}

function clientOf(client: PoolClient): PostgresPoolClient {
  let isLost = false;
  const query = async <R>(text: string, values: readonly unknown[]) => {
    try {
      const answered: Promise<unknown> = told(client.query(text, values.map(bound)));
      return (await answered) as PostgresQueryResult<R>;
    } catch (error) {
      isLost ||= isUnreachable(error);
      throw error;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    // One that did not answer may never: the next one would wait for it again.
    release: (destroy) => client.release(destroy === true || isLost),
  };
}

function poolOf(pool: Pool): PostgresPool {
  return {
    connect: async () => clientOf(await told(pool.connect())),
    end: () => pool.end(),
    options: {},
  };
}

/** Transactions see the store as if they ran one after the other, as those of a file do. */
class SerialDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const { isolationLevel = 'serializable' } = settings;
    await super.beginTransaction(connection, { ...settings, isolationLevel });
  }
}

/** A list of no values is one that nothing is in, as SQLite has it. */
class ListCompiler extends PostgresQueryCompiler {
  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (node.values.length > 0) super.visitPrimitiveValueList(node);
    else this.append('(SELECT NULL WHERE FALSE)');
  }
}

/**
 * The query builder's way to an external database, which may be opened later; failures are
 * `PostgresError`s.
 */
export function postgresDialect(pool: Pool | Promise<Pool>): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new SerialDriver({ pool: async () => poolOf(await pool) }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new ListCompiler(),
  };
}
