// Who writes the runs of a platform, as the database itself sees it.
import pg from 'pg';

const TABLES = [
  ['runs', 'id'],
  ['run_states', 'run_id'],
  ['checkpoints', 'run_id'],
  ['trace_events', 'run_id'],
] as const;
const NOTE = `CREATE FUNCTION note_writer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO run_writers (run_id, port, token) VALUES
      (to_jsonb(NEW) ->> TG_ARGV[0], inet_client_port(), to_jsonb(NEW) ->> 'execution_token');
    RETURN NULL;
  END $$`;

type NameOf = (port: number) => string;

interface Write {
  readonly turn: string;
  readonly run_id: string;
  readonly port: number;
  readonly token: string | null;
}

/** Who holds one run, as its writes tell. */
interface Holder {
  readonly names: Set<string>;
  readonly tokens: Set<string>;
  name: string | undefined;
  token: string | undefined;
}

/** Notes a write; false where whoever made it did not hold the run. */
function isOwn(holder: Holder, { token }: Write, name: string): boolean {
  if (token !== null && token !== holder.token) {
    if (holder.tokens.has(token)) return false;
    holder.tokens.add(token);
    holder.names.add(name);
    Object.assign(holder, { name, token });
    return true;
  }
  return holder.name === undefined || holder.name === name;
}

function judge(writes: readonly Write[], nameOf: NameOf) {
  const holders = new Map<string, Holder>();
  const strangers: string[] = [];
  for (const write of writes) {
    const holder = holders.get(write.run_id) ?? {
      ...{ names: new Set<string>(), tokens: new Set<string>() },
      ...{ name: undefined, token: undefined },
    };
    holders.set(write.run_id, holder);
    const name = nameOf(write.port);
    if (!isOwn(holder, write, name)) {
      strangers.push(`${write.run_id}: ${name} wrote what ${holder.name} held`);
    }
  }
  const passedOn = [...holders].filter(([, { names }]) => names.size > 1).map(([id]) => id);
  return { strangers, passedOn };
}

export interface RunWriters {
  /** Runs that execute and were last written from these ports. */
  heldBy(ports: ReadonlySet<number>): Promise<string[]>;
  /** The port that a run was last written from. */
  lastPort(id: string): Promise<number | undefined>;
  /** Runs that several of those named have held, one after the other. */
  passedOn(nameOf: NameOf): Promise<string[]>;
  /** Writes of a run by another than who held it then, and with a token that had lost it. */
  strangers(nameOf: NameOf): Promise<string[]>;
  close(): Promise<void>;
}

/** Notes from now on who writes which run of a database, in the order of the writes. */
export async function watchWriters(url: string): Promise<RunWriters> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    'CREATE TABLE run_writers (turn bigserial, run_id text, port integer, token text)',
  );
  await client.query(NOTE);
  for (const [table, id] of TABLES) {
    await client.query(
      `CREATE TRIGGER note_writer AFTER INSERT OR UPDATE ON ${table}
       FOR EACH ROW EXECUTE FUNCTION note_writer('${id}')`,
    );
  }
  const writes = async (): Promise<Write[]> =>
    (await client.query<Write>('SELECT * FROM run_writers ORDER BY turn')).rows;
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
    async lastPort(id) {
      const { rows } = await client.query<{ port: number }>(
        'SELECT port FROM run_writers WHERE run_id = $1 ORDER BY turn DESC LIMIT 1',
        [id],
      );
      return rows[0]?.port;
    },
    passedOn: async (nameOf) => judge(await writes(), nameOf).passedOn,
    strangers: async (nameOf) => judge(await writes(), nameOf).strangers,
    close: () => client.end(),
  };
}
