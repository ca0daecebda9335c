import type { JsonObject } from '../items/item.ts';

/** A database server. */
export interface SqlServer {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** `require`: TLS with a certificate that this machine trusts. */
  readonly ssl: 'require' | 'disable';
  readonly connectTimeoutMs: number;
}

export interface SqlQuery {
  readonly text: string;
  /** Bound to the places of the text; they are never part of it. */
  readonly values: readonly unknown[];
}

/** A connection of one step. */
export interface SqlSession {
  /** The rows of all statements of a query. @throws StepFailure in the words of the server */
  query(query: SqlQuery): Promise<readonly JsonObject[]>;
  close(): Promise<void>;
}

export interface SqlOptions {
  /** Whole numbers of 64 bits and decimals are numbers, not texts. */
  readonly largeNumbers: boolean;
}

/** Connects to a server. @throws StepFailure */
export type OpenSql = (server: SqlServer, options: SqlOptions) => Promise<SqlSession>;
