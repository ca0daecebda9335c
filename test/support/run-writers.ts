// Who writes the runs of a platform, as the database itself sees it.
import pg from 'pg';

const TABLES = [
  ['runs', 'id'],
  ['run_states', 'run_id'],
  ['checkpoints', 'run_id'],
  ['trace_events', 'run_id'],
] as const;
const NOTE = `CREATE FUNCTION note_writer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO run_writers (run_id, port) VALUES (to_jsonb(NEW) ->> TG_ARGV[0], inet_client_port());
    RETURN NULL;
  END $$`;

export interface RunWriters {
  /** Runs that execute and were last written from these ports. */
  heldBy(ports: ReadonlySet<number>): Promise<string[]>;
  /** Who wrote each run, in turn; one who wrote several times in a row stands there once. */
  turns(nameOf: (port: number) => string): Promise<Map<string, string[]>>;
  close(): Promise<void>;
}

/** Notes from now on who writes which run of a database, in the order of the writes. */
export async function watchWriters(url: string): Promise<RunWriters> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TABLE run_writers (turn bigserial, run_id text, port integer)');
  await client.query(NOTE);
  for (const [table, id] of TABLES) {
    await client.query(
      `CREATE TRIGGER note_writer AFTER INSERT OR UPDATE ON ${table}
       FOR EACH ROW EXECUTE FUNCTION note_writer('${id}')`,
    );
  }
  return {
    async heldBy(ports) {
      const { rows } = await client.query<{ run_id: string }>(
        `SELECT run_queue.run_id FROM run_queue WHERE status = 'running' AND (
           SELECT port FROM run_writers WHERE run_writers.run_id = run_queue.run_id
           ORDER BY turn DESC LIMIT 1) = ANY ($1)`,
        [[...ports]],
      );
      return rows.map((row) => row.run_id);
    },
    async turns(nameOf) {
      const { rows } = await client.query<{ run_id: string; port: number }>(
        'SELECT run_id, port FROM run_writers ORDER BY turn',
      );
      const turns = new Map<string, string[]>();
      for (const { run_id, port } of rows) {
        const names = turns.get(run_id) ?? [];
        turns.set(run_id, names);
        if (names.at(-1) !== nameOf(port)) names.push(nameOf(port));
      }
      return turns;
    },
    close: () => client.end(),
  };
}
