import type { TestRunRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** A test run of a project. */
export async function findTestRun(
  handle: Handle,
  projectId: string,
  id: string,
): Promise<TestRunRow | undefined> {
  return handle
    .selectFrom('test_run')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Newest first. */
export async function listTestRunRows(
  handle: Handle,
  projectId: string,
  filter: { artifactId: string | undefined; limit: number },
): Promise<TestRunRow[]> {
  let query = handle.selectFrom('test_run').selectAll().where('project_id', '=', projectId);
  if (filter.artifactId !== undefined) query = query.where('artifact_id', '=', filter.artifactId);
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(filter.limit).execute();
}

/** Adds a test run. */
export async function insertTestRun(handle: Handle, row: TestRunRow): Promise<void> {
  await handle.insertInto('test_run').values(row).execute();
}

type Change = Partial<
  Pick<TestRunRow, 'status' | 'phase' | 'platform_run_id' | 'lease_until' | 'recovery_attempts'>
>;

/** Changes a run that is still pending; false when somebody else settled it before. */
export async function changePending(
  handle: Handle,
  id: string,
  change: Change,
  now: string,
  phase?: TestRunRow['phase'],
): Promise<boolean> {
  let query = handle
    .updateTable('test_run')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'pending');
  if (phase !== undefined) query = query.where('phase', '=', phase);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Remembers that a stop was asked for; the first time counts. */
export async function recordCancelRequest(handle: Handle, id: string, now: string): Promise<void> {
  await handle
    .updateTable('test_run')
    .set({ cancel_requested_at: now })
    .where('id', '=', id)
    .where('cancel_requested_at', 'is', null)
    .execute();
}

/** Pending runs untouched since `before` whose lease is free, oldest first. */
export async function listRecoverable(
  handle: Handle,
  before: string,
  now: string,
): Promise<TestRunRow[]> {
  return handle
    .selectFrom('test_run')
    .selectAll()
    .where('status', '=', 'pending')
    .where('updated_at', '<', before)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', now)]))
    .orderBy('updated_at')
    .limit(100)
    .execute();
}

/** A test run that is surely there. */
export async function readTestRunRow(handle: Handle, id: string): Promise<TestRunRow> {
  return handle.selectFrom('test_run').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
