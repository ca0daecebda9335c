import { readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { isTemporaryOf } from '../files/disk-work.ts';
import { settleTaken } from '../files/take-file.ts';
import { readFile, removeFile } from '../files/tree-files.ts';
import { openFolder } from '../files/tree-folder.ts';
import type { Handle } from '../handle.ts';
import { listProjectRows } from '../projects/projects-repository.ts';
import { findDraft, listDraftRows } from './drafts-repository.ts';
import {
  endTreeOperation,
  insertTreeOperation,
  listTreeOperations,
} from './tree-operations-repository.ts';

/**
 * Notes that a file is about to appear or to go. Files and rows cannot share a transaction: as long
 * as the note stands, start-up removes such a file when no draft names it.
 */
export async function beginTreeOperation(
  deps: StudioDeps,
  handle: Handle,
  projectId: string,
  ref: string,
  contentSha256: string,
): Promise<string> {
  const id = deps.ids.hex();
  await insertTreeOperation(handle, {
    id,
    project_id: projectId,
    ref,
    content_sha256: contentSha256,
    started_at: deps.timestamp(),
  });
  return id;
}

/** Finishes or undoes what an interrupted process left half done. */
export async function settleTreeOperations(deps: StudioDeps): Promise<void> {
  const rows = await listTreeOperations(deps.db);
  for (const project of await listProjectRows(deps.db)) {
    const mine = rows.filter((row) => row.project_id === project.id);
    for (const row of mine) await settle(deps, project, row.ref, row.content_sha256);
    const drafts = await listDraftRows(deps.db, project.id);
    await removeTemporaries(
      project,
      [...drafts, ...mine].map((row) => row.ref),
    );
    for (const row of mine) await endTreeOperation(deps.db, row.id);
  }
}

async function settle(
  deps: StudioDeps,
  project: ProjectRow,
  ref: string,
  contentSha256: string,
): Promise<void> {
  const gone = (await findDraft(deps.db, project.id, ref)) === undefined;
  await settleTaken(project.root, ref, { gone, revision: contentSha256 });
  if (!gone) return;
  const content = await readFile(project.root, ref);
  if (content?.revision !== contentSha256) return;
  await removeFile(project.root, ref);
  deps.log.warn({ project_id: project.id }, 'an interrupted write was undone');
}

/** Removes what interrupted writes of these refs left beside them. */
async function removeTemporaries(project: ProjectRow, refs: readonly string[]): Promise<void> {
  const names = new Map<string, string[]>();
  for (const ref of refs) {
    const folder = path.posix.dirname(ref);
    names.set(folder, [...(names.get(folder) ?? []), path.posix.basename(ref)]);
  }
  for (const [location, drafts] of names) {
    const segments = location === '.' ? [] : location.split('/');
    const folder = await openFolder(project.root, segments).catch(() => undefined);
    if (folder === undefined) continue;
    try {
      const left = (await readdir(folder.path)).filter((entry) =>
        drafts.some((name) => isTemporaryOf(name, entry)),
      );
      for (const entry of left) await unlink(path.join(folder.path, entry));
    } finally {
      await folder.close();
    }
  }
}
