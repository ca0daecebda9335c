import { parentPort, workerData } from 'node:worker_threads';
import { Client, type ClientConfig, Connection, types } from 'pg';
import { type KnownStatements, PostgresBatch } from './postgres-batch.ts';
import { PostgresError, toPostgresError } from './postgres-error.ts';
import { LIMITS, PLANNING } from './postgres-limits.ts';
import { connectionOptions } from './postgres-pool.ts';
import type { PostgresRequest, PostgresResponse, PostgresThreadSetup } from './postgres-wire.ts';

// Keeps one connection to PostgreSQL for a thread that waits for its answers.

const { external, port, signal }: PostgresThreadSetup = workerData;
/** Between two tries to connect again; meanwhile every statement is refused at once. */
const AGAIN_MS = 300;

const { types: parsers, query_timeout: _own, ...options } = connectionOptions(external);

function parserOf(type: number): (text: string) => unknown {
  if (type === types.builtins.BOOL) return (text) => (text === 't' ? 1 : 0);
  return parsers.getTypeParser(type, 'text');
}

interface Opened {
  readonly client: Client;
  readonly connection: Connection;
  readonly number: number;
  readonly known: KnownStatements;
  batch: PostgresBatch | undefined;
}

let opened: Opened | undefined;
let connections = 0;
let closing = false;

async function connect(): Promise<void> {
  const { ssl, keepAlive, keepAliveInitialDelayMillis } = options;
  const connection = new Connection({ ssl, keepAlive, keepAliveInitialDelayMillis });
  const given: ClientConfig & { readonly connection: Connection } = {
    ...options,
    connection,
    types: parsers,
    // A server that takes no such setting is told of none.
    ...(external.statementTimeoutMs === 0 || external.pooler ? {} : LIMITS),
  };
  const client = new Client(given);
  const lost = (): void => {
    if (opened?.client !== client) return;
    opened = undefined;
    connectLater();
  };
  client.on('error', lost);
  client.on('end', lost);
  await client.connect();
  // A database that knows none of these plans in its own way.
  if (!external.pooler) await client.query(PLANNING).catch(() => undefined);
  connections += 1;
  const made: Opened = {
    ...{ client, connection, number: connections },
    known: { byText: new Map(), generation: 0 },
    batch: undefined,
  };
  connection.on('parseComplete', () => made.batch?.parsed());
  opened = made;
}

function connectLater(): void {
  if (closing) return;
  setTimeout(() => {
    if (!closing) connect().catch(connectLater);
  }, AGAIN_MS);
}

function refusal(error: unknown): { code: string; message: string } {
  const known = toPostgresError(error);
  return known instanceof PostgresError
    ? { code: known.code, message: known.message }
    : { code: 'STORE_DEFECT', message: String(known) };
}

async function answersOf({ calls, on }: PostgresRequest) {
  const at = opened;
  if (at === undefined || (on !== undefined && on !== at.number)) {
    throw toPostgresError(new Error('no connection'));
  }
  const batch = new PostgresBatch(calls, external.pooler ? undefined : at.known, parserOf);
  at.batch = batch;
  at.client.query(batch);
  return { answers: await batch.answers, on: at.number };
}

async function answer(request: PostgresRequest): Promise<void> {
  const { id } = request;
  let response: PostgresResponse;
  try {
    response = { id, ...(await answersOf(request)) };
  } catch (error) {
    response = { id, ...refusal(error) };
  }
  port.postMessage(response);
  const count = new Int32Array(signal);
  Atomics.add(count, 0, 1);
  Atomics.notify(count, 0);
}

async function close(): Promise<void> {
  closing = true;
  const client = opened?.client;
  opened = undefined;
  await client?.end().catch(() => undefined);
  port.close();
  parentPort?.close();
}

port.on('message', (request: PostgresRequest | 'close' | 'reset') => {
  if (request === 'close') void close();
  // Nothing that is on its way there may be answered to somebody else.
  else if (request === 'reset') opened?.connection.stream.destroy();
  else void answer(request);
});

connect().then(
  () => parentPort?.postMessage({ ready: true }),
  (error: unknown) => parentPort?.postMessage(refusal(error)),
);
