import type { Kysely } from 'kysely';
import type { DashboardTables } from '../store/dashboard-tables.ts';

/** The dashboard's store, or a transaction on it. */
export type Db = Kysely<DashboardTables>;
