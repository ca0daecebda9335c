import type { ExternalDatabase } from '../contract/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { OnStoreStep } from './store-step.ts';

/** Where the store of a service is, and who hears of it. */
export interface StoreOptions {
  /** A file or `:memory:`; it is not touched where there is an external database. */
  readonly databaseFile: string;
  readonly external: ExternalDatabase | undefined;
  readonly migrationsDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Is told how far a file is brought up to date. */
  readonly onStoreStep?: OnStoreStep | undefined;
}
