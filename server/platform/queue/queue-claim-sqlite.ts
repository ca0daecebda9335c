import { DATABASE_NOW } from '../../store/dialect-sqlite.ts';

// Entries of the same moment go in the order in which they came.
const ORDER = 'ORDER BY available_at, created_at, rowid LIMIT 1';
/** An entry that is due. */
export const QUEUED = `status = 'queued' AND available_at <= ${DATABASE_NOW}`;
/** An entry whose holder has gone silent. */
export const EXPIRED = `status = 'running' AND (lease_expires_at IS NULL OR lease_expires_at <= ${DATABASE_NOW})`;

/**
 * Takes the next entry for `@owner`, with `@expired` also one whose holder has gone silent. Each half
 * is read in the order of its index, so that a claim costs the same at any depth.
 */
export const CLAIM = `UPDATE run_queue
  SET status = 'running', attempts = attempts + 1, lease_owner = @owner,
      lease_expires_at = ${DATABASE_NOW} + @lease, updated_at = ${DATABASE_NOW}
  WHERE run_id = (
    SELECT run_id FROM (
      SELECT * FROM (SELECT rowid, run_id, available_at, created_at FROM run_queue
        WHERE ${QUEUED} ${ORDER})
      UNION ALL
      SELECT * FROM (SELECT rowid, run_id, available_at, created_at FROM run_queue
        WHERE @expired AND ${EXPIRED} ${ORDER}))
    ${ORDER})
  RETURNING *`;
