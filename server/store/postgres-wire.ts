// What a thread and its connection to PostgreSQL say to each other.
import type { MessagePort } from 'node:worker_threads';
import type { ExternalDatabase } from '../contract/database.ts';

/** What the thread of a connection is started with. */
export interface PostgresThreadSetup {
  readonly external: ExternalDatabase;
  readonly port: MessagePort;
  /** Counts answers, and wakes who waits for one. */
  readonly signal: SharedArrayBuffer;
}

/** A statement with its values. */
export interface StatementCall {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface StatementAnswer {
  readonly changes: number;
  readonly rows: readonly (readonly unknown[])[];
  readonly columns: readonly string[];
}

/** Statements to be executed together, on the connection that was told of or on any. */
export interface PostgresRequest {
  readonly id: number;
  readonly calls: readonly StatementCall[];
  /** Number of the connection on which a transaction was begun. */
  readonly on: number | undefined;
}

export type PostgresResponse = { readonly id: number } & (
  | { readonly answers: readonly StatementAnswer[]; readonly on: number }
  | { readonly code: string; readonly message: string }
);
