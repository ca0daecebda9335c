import type { Connection, FieldDef, Submittable } from 'pg';
import { isStalePlan, toPostgresError } from './postgres-error.ts';
import { encodeText } from './postgres-text.ts';
import type { StatementAnswer, StatementCall } from './postgres-wire.ts';

/** Gives the value that a column's text stands for. */
export type ParserOf = (type: number) => (text: string) => unknown;

/**
 * Statements of a connection, by their texts. `generation` grows when a table has changed: a pooler
 * knows statements by their texts too, and takes those of another generation for new ones.
 */
export interface KnownStatements {
  readonly byText: Map<string, KnownStatement>;
  generation: number;
}

/** A statement that a connection knows by a name. */
interface KnownStatement {
  readonly name: string;
  columns: readonly string[];
  parsers: readonly ((text: string) => unknown)[];
}

interface DataRow {
  readonly fields: readonly (string | null)[];
}

let names = 0;

/** A value as the server reads it; whose type it is the statement knows. */
function bound(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return encodeText(value);
  // Truth values are numbers in every store.
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value instanceof Uint8Array) return Buffer.from(value);
  return String(value);
}

/** Rows that a command says it wrote or answered, as in `UPDATE 3`. */
function countOf(text: string): number {
  const last = Number(text.slice(text.lastIndexOf(' ') + 1));
  return Number.isNaN(last) ? 0 : last;
}

/**
 * Statements that are sent together and answered together: one way to the server and back. What
 * follows one that fails is not executed.
 */
export class PostgresBatch implements Submittable {
  readonly #calls: readonly StatementCall[];
  readonly #known: KnownStatements | undefined;
  /** What each call is a call of. */
  readonly #statements: KnownStatement[] = [];
  readonly #parserOf: ParserOf;
  readonly #fresh: KnownStatement[] = [];
  readonly #answers: StatementAnswer[] = [];
  readonly #settled = Promise.withResolvers<StatementAnswer[]>();
  #rows: unknown[][] = [];
  #parsed = 0;

  /** Without known statements none gets a name: the connection may be another's afterwards. */
  constructor(
    calls: readonly StatementCall[],
    known: KnownStatements | undefined,
    parserOf: ParserOf,
  ) {
    this.#calls = calls;
    this.#known = known;
    this.#parserOf = parserOf;
  }

  get answers(): Promise<StatementAnswer[]> {
    return this.#settled.promise;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    for (const { sql, values } of this.#calls) {
      const statement = this.#known?.byText.get(sql) ?? this.#parse(connection, sql);
      this.#statements.push(statement);
      connection.bind({ statement: statement.name, values: values.map(bound) }, true);
      connection.execute({ portal: '', rows: '0' }, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  #parse(connection: Connection, sql: string): KnownStatement {
    names += 1;
    const name = this.#known === undefined ? '' : `s${names}`;
    const made: KnownStatement = { name, columns: [], parsers: [] };
    this.#known?.byText.set(sql, made);
    this.#fresh.push(made);
    const generation = this.#known?.generation ?? 0;
    const text = generation === 0 ? sql : `${sql} /* ${generation} */`;
    connection.parse({ name: made.name, text, types: [] }, true);
    connection.describe({ type: 'S', name: made.name }, true);
    return made;
  }

  /** The server has taken the next of the new statements. */
  parsed(): void {
    this.#parsed += 1;
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    const statement = this.#fresh[this.#parsed - 1];
    if (statement === undefined) return;
    statement.columns = fields.map(({ name }) => name);
    statement.parsers = fields.map(({ dataTypeID }) => this.#parserOf(dataTypeID));
  }

  handleDataRow({ fields }: DataRow): void {
    const parsers = this.#statements[this.#answers.length]?.parsers ?? [];
    this.#rows.push(
      fields.map((text, at) => (text === null ? null : (parsers[at]?.(text) ?? text))),
    );
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const columns = this.#statements[this.#answers.length]?.columns ?? [];
    this.#answers.push({ changes: countOf(text), rows: this.#rows, columns });
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleReadyForQuery(): void {
    this.#settled.resolve(this.#answers);
  }

  handleError(error: Error): void {
    if (this.#known !== undefined) this.#forget(this.#known, error);
    this.#settled.reject(error);
  }

  #forget(known: KnownStatements, error: Error): void {
    // What was not taken is not there under its name.
    const lost = new Set(this.#fresh.slice(this.#parsed));
    const { byText } = known;
    for (const [sql, statement] of byText) if (lost.has(statement)) byText.delete(sql);
    if (!isStalePlan(toPostgresError(error))) return;
    byText.clear();
    known.generation += 1;
  }
}
