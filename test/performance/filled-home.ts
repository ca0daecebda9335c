import { closeSync, fsyncSync, openSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { filled, MANY } from './filled-platform.ts';

const EVENTS = 5_000_000;
/** What {@link largeHome} holds, in words. */
export const LARGE = `${MANY} runs and ${EVENTS} events`;
/** What an event says besides its kind and time; with it the store has about 1 GB. */
const PAYLOAD = JSON.stringify({ node_id: 'answer' });
/** Events that no run of the patterns comes to, so that numbers do not meet. */
const FROM = 1_000_000;

/** What was written is on the disk: else its writing slows down what is measured next. */
function settle(file: string): void {
  const open = openSync(file, 'r+');
  fsyncSync(open);
  closeSync(open);
}

/** A data folder of about 1 GB: many runs, and traces as long ones leave them. */
export async function largeHome(): ReturnType<typeof filled> {
  const folder = await filled(MANY);
  const file = path.join(folder.path, 'platform.db');
  const store = new BetterSqlite3(file);
  store.pragma('synchronous = OFF');
  store.exec('CREATE TEMP TABLE traced AS SELECT run_id FROM trace_events GROUP BY run_id');
  const runs = Number(store.prepare('SELECT count(*) FROM traced').pluck().get());
  store
    .prepare(
      `WITH RECURSIVE more (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM more WHERE number + 1 < ?)
       INSERT INTO trace_events (run_id, sequence, event_id, type, timestamp, payload)
       SELECT traced.run_id, ? + number, traced.run_id || '-' || number, first.type, first.timestamp, ?
       FROM traced CROSS JOIN more
       JOIN trace_events AS first ON first.run_id = traced.run_id AND first.sequence =
         (SELECT min(sequence) FROM trace_events WHERE run_id = traced.run_id)
       ORDER BY traced.run_id, number`,
    )
    .run(Math.ceil(EVENTS / runs), FROM, PAYLOAD);
  store.close();
  settle(file);
  return folder;
}
