import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { filled, MANY } from './filled-platform.ts';

const EVENTS = 5_000_000;
/** What {@link largeHome} holds, in words. */
export const LARGE = `${MANY} runs and ${EVENTS} events`;
/** Events that no run of the patterns comes to, so that numbers do not meet. */
const FROM = 1_000_000;

/** A data folder of about 1 GB: many runs, and traces as long ones leave them. */
export async function largeHome(): ReturnType<typeof filled> {
  const folder = await filled(MANY);
  const store = new BetterSqlite3(path.join(folder.path, 'platform.db'));
  store.pragma('synchronous = OFF');
  store.exec('CREATE TEMP TABLE traced AS SELECT run_id FROM trace_events GROUP BY run_id');
  const runs = Number(store.prepare('SELECT count(*) FROM traced').pluck().get());
  store
    .prepare(
      `WITH RECURSIVE more (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM more WHERE number + 1 < ?)
       INSERT INTO trace_events (run_id, sequence, event_id, type, timestamp, payload)
       SELECT traced.run_id, ? + number, traced.run_id || '-' || number, first.type, first.timestamp, first.payload
       FROM traced CROSS JOIN more
       JOIN trace_events AS first ON first.run_id = traced.run_id AND first.sequence =
         (SELECT min(sequence) FROM trace_events WHERE run_id = traced.run_id)
       ORDER BY traced.run_id, number`,
    )
    .run(Math.ceil(EVENTS / runs), FROM);
  store.close();
  return folder;
}
