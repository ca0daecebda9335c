import type { Kysely, Transaction } from 'kysely';
import type { StudioTables } from '../store/studio-tables.ts';

/** The studio's store. */
export type Db = Kysely<StudioTables>;
/** The store, or the transaction that a use case owns. */
export type Handle = Db | Transaction<StudioTables>;
