import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { SyncStore } from './sync-connection.ts';

/** A query of the builder; its rows are what it selects or returns. */
interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** A query that was written with named places and is run with their values. */
export interface Prepared<Args, Row> {
  all(args: Args): Row[];
  get(args: Args): Row | undefined;
  run(args: Args): void;
}

class Place<Args> {
  readonly name: keyof Args;
  constructor(name: keyof Args) {
    this.name = name;
  }
}

/**
 * Compiles a query of the builder once and runs it at once: the driver is synchronous, so a
 * transaction can hold several of them. `place(name)` stands for a value given at each run.
 */
export function prepare<Tables, Args extends object, Row = unknown>(
  store: Pick<SyncStore<Tables>, 'sync'>,
  build: (place: <K extends keyof Args>(name: K) => RawBuilder<Args[K]>) => Compilable<Row>,
): Prepared<Args, Row> {
  const compiled = build((name) => sql`${new Place<Args>(name)}`).compile();
  const statement = store.sync.prepare<unknown[], Row>(compiled.sql);
  const slots: readonly unknown[] = compiled.parameters;
  const isPlace = (slot: unknown): slot is Place<Args> => slot instanceof Place;
  const bind = (args: Args): unknown[] =>
    slots.map((slot) => (isPlace(slot) ? args[slot.name] : slot));
  return {
    all: (args) => statement.all(...bind(args)),
    get: (args) => statement.get(...bind(args)),
    run: (args) => void statement.run(...bind(args)),
  };
}
