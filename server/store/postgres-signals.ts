import { type Kysely, sql } from 'kysely';
import { Client } from 'pg';
import type { ExternalDatabase } from '../contract/database.ts';
import { connectionOptions } from './postgres-pool.ts';

// Nodes on one database tell each other what they have written. What is told may be lost: whoever waits
// for something looks for it as well, less often.

/** What is told is gathered for so long. */
const GATHER_MS = 4;
/** A word takes less than the 8000 bytes that PostgreSQL sends at once. */
const IDS_AT_ONCE = 150;
const AGAIN_MS = 1_000;
/** Before ids of runs whose readers have nothing yet. */
const ANEW = '+';
/** Who only listens is asked for an answer so often: nothing else tells that its connection is cut. */
const PROBE_MS = 10_000;

const CHANNELS = {
  runs: 'specwright_runs',
  queue: 'specwright_queue',
  ended: 'specwright_ended',
  followed: 'specwright_followed',
  answers: 'specwright_answers',
} as const;

/** Tells other nodes. */
export interface Notifier {
  /** These runs were written here. */
  runs(ids: readonly string[]): void;
  /** Something waits for a worker. */
  queued(): void;
  /** A run was ended from outside: whoever executes it stops. */
  ended(id: string): void;
  /** Somebody follows these runs here; `anew` who has nothing of what their models said before. */
  followed(ids: readonly string[], anew: boolean): void;
  /** What models say at this moment; one word after the other, since each goes on from the one before. */
  answers(word: string): Promise<void>;
}

/** `owner` is the node: it is not told what it says itself. A word that cannot be said is not said again. */
export function createNotifier<Tables>(db: Kysely<Tables>, owner: string): Notifier {
  const written = new Set<string>();
  let isQueued = false;
  let planned = false;
  const send = async (channel: string, word: string): Promise<void> => {
    await sql`SELECT pg_notify(${channel}, ${`${owner} ${word}`})`.execute(db);
  };
  const say = (channel: string, word: string): void => {
    send(channel, word).catch(() => undefined);
  };
  const sayIds = (channel: string, ids: readonly string[], start = ''): void => {
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      say(channel, `${start}${ids.slice(at, at + IDS_AT_ONCE).join(',')}`);
    }
  };
  const sayAll = (): void => {
    planned = false;
    const ids = [...written];
    written.clear();
    sayIds(CHANNELS.runs, ids);
    if (isQueued) say(CHANNELS.queue, '');
    isQueued = false;
  };
  const plan = (): void => {
    if (planned) return;
    planned = true;
    setTimeout(sayAll, GATHER_MS);
  };
  return {
    runs(ids) {
      for (const id of ids) written.add(id);
      plan();
    },
    queued() {
      isQueued = true;
      plan();
    },
    ended: (id) => say(CHANNELS.ended, id),
    followed: (ids, anew) => sayIds(CHANNELS.followed, ids, anew ? ANEW : ''),
    answers: (word) => send(CHANNELS.answers, word),
  };
}

interface Listening {
  readonly owner: string;
  readonly heard: Omit<Notifier, 'answers'> & { answers(word: string): void };
}

/** Hears what other nodes say, over a connection of its own, until it is stopped. */
export function listenToNodes(
  external: ExternalDatabase,
  { owner, heard }: Listening,
): () => Promise<void> {
  let client: Client | undefined;
  let isAsked = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const take = (channel: string, payload: string): void => {
    const end = payload.indexOf(' ');
    if (payload.slice(0, end) === owner) return;
    const word = payload.slice(end + 1);
    switch (channel) {
      case CHANNELS.runs:
        heard.runs(word.split(','));
        return;
      case CHANNELS.ended:
        heard.ended(word);
        return;
      case CHANNELS.followed: {
        const anew = word.startsWith(ANEW);
        heard.followed((anew ? word.slice(ANEW.length) : word).split(','), anew);
        return;
      }
      case CHANNELS.answers:
        heard.answers(word);
        return;
      default:
        heard.queued();
    }
  };
  const connect = async (): Promise<void> => {
    const made = new Client(connectionOptions(external));
    const lost = (): void => {
      if (client !== made) return;
      client = undefined;
      later();
    };
    made.on('error', lost);
    made.on('end', lost);
    made.on('notification', ({ channel, payload = '' }) => take(channel, payload));
    client = made;
    isAsked = false;
    await made.connect();
    for (const channel of Object.values(CHANNELS)) await made.query(`LISTEN ${channel}`);
    // What was said meanwhile was not heard.
    heard.queued();
  };
  const begin = (): void => void connect().catch(() => client?.end().catch(() => undefined));
  const later = (): void => {
    if (!stopped) again = setTimeout(begin, AGAIN_MS);
  };
  const probe = (): void => {
    if (client === undefined) return;
    // It did not answer since: to end one that waits breaks it.
    if (isAsked) return void client.end().catch(() => undefined);
    isAsked = true;
    const answered = (): void => {
      isAsked = false;
    };
    client.query('SELECT 1').then(answered, () => undefined);
  };
  begin();
  const probing = setInterval(probe, PROBE_MS);
  return async () => {
    stopped = true;
    clearInterval(probing);
    clearTimeout(again);
    const last = client;
    client = undefined;
    await last?.end().catch(() => undefined);
  };
}
