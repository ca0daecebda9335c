import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import type { ExternalDatabase } from '../contract/database.ts';
import { isStalePlan, mustRepeat, PostgresError } from './postgres-error.ts';
import { FOR_ONE_TRANSACTION } from './postgres-limits.ts';
import { type Placed, placed } from './postgres-places.ts';
import type {
  PostgresRequest,
  PostgresResponse,
  PostgresThreadSetup,
  StatementAnswer,
  StatementCall,
} from './postgres-wire.ts';
import type {
  StatementOf,
  SyncConnection,
  SyncStatement,
  SyncTransaction,
} from './sync-connection.ts';
import { threadFile } from './thread-file.ts';

/** A wait is told of so often, so that it is not taken for computing. */
const WAIT_SLICE_MS = 200;
/** The thread waits no longer for an answer: a limit of the server comes before it. */
const GRACE_MS = 1_000;
const LONGEST_WAIT_MS = 5_000;
const TRIES = 6;
const MAX_PAUSE_MS = 4;

/** A statement that waits to be sent with the next one whose answer somebody needs. */
interface Waiting extends StatementCall {
  answer: StatementAnswer | undefined;
}

interface ConnectionOptions {
  readonly external: ExternalDatabase;
  /** Is told again and again while the thread waits for an answer. */
  readonly waiting?: (() => void) | undefined;
}

type Shape = 'object' | 'first' | 'list';

/** A statement of this connection. */
class PostgresStatement<Args extends unknown[], Row> implements SyncStatement<Args, Row> {
  readonly #connection: PostgresConnection;
  readonly #placed: Placed;
  readonly #shape: Shape;

  constructor(connection: PostgresConnection, text: Placed, shape: Shape) {
    this.#connection = connection;
    this.#placed = text;
    this.#shape = shape;
  }

  #call(args: Args): StatementCall {
    return { sql: this.#placed.sql, values: this.#placed.valuesOf(args) };
  }

  get(...args: Args): Row | undefined {
    return this.all(...args)[0];
  }

  all(...args: Args): Row[] {
    return this.#rows(this.#connection.ask(this.#call(args)));
  }

  later(...args: Args): () => Row[] {
    const answer = this.#connection.later(this.#call(args));
    return () => this.#rows(answer());
  }

  iterate(...args: Args): IterableIterator<Row> {
    return this.all(...args).values();
  }

  run(...args: Args): { readonly changes: number } {
    return this.#connection.write(this.#call(args));
  }

  pluck(): SyncStatement<Args, Row> {
    return new PostgresStatement(this.#connection, this.#placed, 'first');
  }

  raw(): SyncStatement<Args, Row> {
    return new PostgresStatement(this.#connection, this.#placed, 'list');
  }

  #rows({ rows, columns }: StatementAnswer): Row[] {
    return rows.map((row) => this.#row(row, columns));
  }

  #row(row: readonly unknown[], columns: readonly string[]): Row {
    if (this.#shape === 'first') return row[0] as Row;
    if (this.#shape === 'list') return row as Row;
    return Object.fromEntries(columns.map((name, at) => [name, row[at]])) as Row;
  }
}

/**
 * One connection to PostgreSQL for one thread, which waits for its answers. Writes of a transaction
 * whose counts nobody reads are sent together with the next statement that somebody needs the answer
 * of, at the latest with the commit. Transactions see what is committed; those that others got in the
 * way of are done again: they change nothing but the store.
 */
export class PostgresConnection implements SyncConnection {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #signal: Int32Array;
  readonly #waiting: (() => void) | undefined;
  readonly #limitMs: number;
  /** What a transaction begins with. */
  readonly #opening: readonly string[];
  #queue: Waiting[] = [];
  #depth = 0;
  #id = 0;
  /** Number of the connection that holds the transaction, once it has begun. */
  #on: number | undefined;
  #open = true;

  private constructor(worker: Worker, setup: PostgresThreadSetup, options: PortOptions) {
    this.#worker = worker;
    this.#port = options.port;
    this.#signal = new Int32Array(setup.signal);
    this.#waiting = options.waiting;
    this.#limitMs = limitOf(setup.external) + GRACE_MS;
    this.#opening = setup.external.pooler ? ['BEGIN', FOR_ONE_TRANSACTION] : ['BEGIN'];
  }

  /** Starts the thread of a connection, and connects. Rejects with a `PostgresError`. */
  static async open({ external, waiting }: ConnectionOptions): Promise<PostgresConnection> {
    const file = threadFile('postgres-thread', import.meta.dirname);
    if (file === undefined) throw new TypeError('the thread of a connection is missing');
    const { port1, port2 } = new MessageChannel();
    const statementTimeoutMs = external.statementTimeoutMs === 0 ? 0 : limitOf(external);
    const setup: PostgresThreadSetup = {
      external: { ...external, statementTimeoutMs },
      port: port2,
      signal: new SharedArrayBuffer(4),
    };
    const worker = new Worker(file, { workerData: setup, transferList: [port2], name: 'postgres' });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.on('error', reject);
    worker.once('message', (told: { ready: true } | { code: string; message: string }) => {
      if ('ready' in told) resolve();
      else reject(new PostgresError(told.code, told.message));
    });
    try {
      await promise;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    worker.unref();
    return new PostgresConnection(worker, setup, { port: port1, waiting });
  }

  get open(): boolean {
    return this.#open;
  }

  get inTransaction(): boolean {
    return this.#depth > 0;
  }

  prepare<Args extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): StatementOf<Args, Row> {
    const statement: unknown = new PostgresStatement(this, placed(sql), 'object');
    return statement as StatementOf<Args, Row>;
  }

  transaction<Args extends unknown[], T>(work: (...args: Args) => T): SyncTransaction<Args, T> {
    const run = (...args: Args): T =>
      this.#depth > 0 ? this.#part(() => work(...args)) : this.#whole(() => work(...args));
    return Object.assign(run, { immediate: run });
  }

  /** Executes a statement, behind those that wait, and answers it. */
  ask(call: StatementCall): StatementAnswer {
    return this.later(call)();
  }

  /** Writes; within a transaction as soon as something is asked, such as how much it changed. */
  write(call: StatementCall): { readonly changes: number } {
    const answer = this.later(call);
    return {
      get changes() {
        return answer().changes;
      },
    };
  }

  /** Within a transaction a statement is sent with the next one whose answer somebody needs. */
  later(call: StatementCall): () => StatementAnswer {
    const waiting: Waiting = { ...call, answer: undefined };
    this.#queue.push(waiting);
    if (this.#depth === 0) this.#send();
    return () => {
      if (waiting.answer === undefined) this.#send();
      return answerOf(waiting);
    };
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.ref();
    this.#port.postMessage('close');
    await ended;
  }

  #part<T>(work: () => T): T {
    const name = `part_${this.#depth}`;
    this.write({ sql: `SAVEPOINT ${name}`, values: [] });
    this.#depth += 1;
    try {
      const result = work();
      this.write({ sql: `RELEASE SAVEPOINT ${name}`, values: [] });
      return result;
    } catch (error) {
      if (!mustRepeat(error)) this.ask({ sql: `ROLLBACK TO SAVEPOINT ${name}`, values: [] });
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  #whole<T>(work: () => T): T {
    for (let tries = 1; ; tries += 1) {
      try {
        return this.#once(work);
      } catch (error) {
        if (!mustRepeat(error) || tries === TRIES) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * MAX_PAUSE_MS);
      }
    }
  }

  #once<T>(work: () => T): T {
    this.#queue = this.#opening.map((sql) => ({ sql, values: [], answer: undefined }));
    this.#depth = 1;
    try {
      const result = work();
      const isEmpty = this.#on === undefined && this.#queue.length === this.#opening.length;
      if (!isEmpty) this.ask({ sql: 'COMMIT', values: [] });
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#queue = [];
      this.#depth = 0;
      this.#on = undefined;
    }
  }

  #rollBack(): void {
    this.#queue = [];
    try {
      this.ask({ sql: 'ROLLBACK', values: [] });
    } catch {
      // The connection is gone, and the transaction with it.
    }
  }

  #send(): void {
    const calls = this.#queue;
    this.#queue = [];
    const { answers, on } = this.#depth > 0 ? this.#request(calls) : this.#requestAlone(calls);
    for (const [at, call] of calls.entries()) call.answer = answers[at];
    if (this.#depth > 0) this.#on = on;
  }

  /** A statement by itself is done again at once where a transaction is from its beginning. */
  #requestAlone(waiting: readonly Waiting[]) {
    try {
      return this.#request(waiting);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return this.#request(waiting);
    }
  }

  #request(waiting: readonly Waiting[]) {
    if (!this.#open) throw new PostgresError('STORE_UNREACHABLE', 'the store is closed');
    this.#id += 1;
    const calls = waiting.map(({ sql, values }) => ({ sql, values }));
    const request: PostgresRequest = { id: this.#id, calls, on: this.#on };
    const response = this.#exchange(request);
    if ('code' in response) throw new PostgresError(response.code, response.message);
    return response;
  }

  #exchange(request: PostgresRequest): PostgresResponse {
    let seen = Atomics.load(this.#signal, 0);
    this.#port.postMessage(request);
    const until = performance.now() + this.#limitMs;
    for (;;) {
      if (Atomics.wait(this.#signal, 0, seen, WAIT_SLICE_MS) === 'timed-out') this.#waiting?.();
      seen = Atomics.load(this.#signal, 0);
      for (let got = this.#received(); got !== undefined; got = this.#received()) {
        if (got.id === request.id) return got;
      }
      if (performance.now() < until) continue;
      this.#port.postMessage('reset');
      throw new PostgresError('STORE_UNREACHABLE', 'the database did not answer in time');
    }
  }

  #received(): PostgresResponse | undefined {
    const received: { message: PostgresResponse } | undefined = receiveMessageOnPort(this.#port);
    return received?.message;
  }
}

interface PortOptions {
  readonly port: MessagePort;
  readonly waiting: (() => void) | undefined;
}

/** A statement that a thread waits for takes no longer, whatever the settings allow. */
function limitOf({ statementTimeoutMs }: ExternalDatabase): number {
  return statementTimeoutMs === 0 ? LONGEST_WAIT_MS : Math.min(statementTimeoutMs, LONGEST_WAIT_MS);
}

function answerOf({ answer }: Waiting): StatementAnswer {
  if (answer === undefined) throw new TypeError('a statement was not answered');
  return answer;
}
