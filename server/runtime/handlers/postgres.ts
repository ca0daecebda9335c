import { Socket } from 'node:net';
import { Client, Query, types } from 'pg';
import { StepFailure } from '../../handlers/handler.ts';
import type { OpenSql, SqlOptions, SqlQuery, SqlServer } from '../../handlers/sql-port.ts';
import type { JsonObject } from '../../items/item.ts';
import type { HttpPolicy } from './guarded-addresses.ts';
import { guardedAddress, wordsOf } from './guarded-socket.ts';

/** What one query may give. */
const MAX_ROWS = 50_000;
const MAX_BYTES = 32 * 1024 * 1024;
const QUERY_TIMEOUT_MS = 300_000;
/** Whole numbers of 64 bits, and decimals. */
const LARGE_NUMBERS: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

type Parse = (text: string) => unknown;

function parserOf(largeNumbers: boolean): typeof types.getTypeParser {
  const parser = (type: number, format?: 'text' | 'binary'): Parse =>
    largeNumbers && LARGE_NUMBERS.has(type)
      ? Number
      : (types.getTypeParser(type, format as 'text') as Parse);
  return parser as typeof types.getTypeParser;
}

/** A socket that connects where the policy lets it, wherever it is told to. */
function guardedSocket(server: SqlServer, policy: HttpPolicy, signal: AbortSignal): Socket {
  const address = guardedAddress(server, policy);
  const socket = new Socket({ signal });
  const connect = socket.connect.bind(socket);
  return Object.assign(socket, { connect: () => connect(address) });
}

function clientOf(server: SqlServer, { largeNumbers }: SqlOptions, socket: Socket): Client {
  const { host, port, database, user, password, ssl, connectTimeoutMs } = server;
  return new Client({
    ...{ host, port, database, user },
    password: () => password,
    ssl: ssl === 'require',
    stream: () => socket,
    types: { getTypeParser: parserOf(largeNumbers) },
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: QUERY_TIMEOUT_MS,
  });
}

/** A row as an item has it: dates as texts, bytes as their list. */
function plainRow(row: unknown): JsonObject {
  return JSON.parse(JSON.stringify(row)) as JsonObject;
}

function tooMuch(): StepFailure {
  return new StepFailure(
    `The query gives more than ${MAX_ROWS} rows or ${MAX_BYTES / 1024 / 1024} MiB. Ask for less at once.`,
  );
}

function tooLate(): StepFailure {
  return new StepFailure(`The query took longer than ${QUERY_TIMEOUT_MS / 60_000} minutes.`);
}

/** The rows of all statements of a query; the connection is gone when there are too many. */
function rowsOf(client: Client, socket: Socket, { text, values }: SqlQuery): Promise<JsonObject[]> {
  return new Promise((resolve, reject) => {
    const rows: JsonObject[] = [];
    const begun = socket.bytesRead;
    const giveUp = (why: StepFailure): void => {
      reject(why);
      socket.destroy();
    };
    const late = setTimeout(() => giveUp(tooLate()), QUERY_TIMEOUT_MS);
    const query = new Query({ text, values: [...values] });
    query.on('row', (row: unknown) => {
      const isTooMuch = rows.length >= MAX_ROWS || socket.bytesRead - begun > MAX_BYTES;
      if (isTooMuch) giveUp(tooMuch());
      else rows.push(plainRow(row));
    });
    query.on('end', () => {
      clearTimeout(late);
      resolve(rows);
    });
    query.on('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    client.query(query);
  });
}

/**
 * Connects steps to databases that the policy allows; one connection takes one query after another.
 * When `signal` aborts, its reason is thrown.
 */
export function createPostgres(policy: HttpPolicy, signal: AbortSignal): OpenSql {
  const told = (error: unknown): never => {
    signal.throwIfAborted();
    throw error instanceof StepFailure ? error : new StepFailure(wordsOf(error));
  };
  return async (server, options) => {
    const socket = guardedSocket(server, policy, signal);
    const client = clientOf(server, options, socket);
    // What waits for an answer fails with the same.
    client.on('error', () => undefined);
    await client.connect().catch(told);
    return {
      query: (query) => rowsOf(client, socket, query).catch(told),
      close: async () => {
        if (socket.destroyed) return;
        await client.end();
      },
    };
  };
}
