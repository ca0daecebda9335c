import { stat } from 'node:fs/promises';
import { refuse } from '../../contract/studio/errors.ts';
import type { DraftManifestRow, ProjectRow } from '../../store/studio-tables.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { canonicalRef } from '../files/canonical-ref.ts';
import { type FileContent, readFile } from '../files/tree-files.ts';
import type { Handle } from '../handle.ts';
import { findDraft } from './drafts-repository.ts';

/** The canonical form of a ref that a caller sent. @throws Refusal `draft_not_found`. */
export function requireRef(input: string): string {
  const ref = canonicalRef(input);
  if (ref === undefined) throw refuse('draft_not_found');
  return ref;
}

/** Refuses when the project's folder cannot be opened at all. */
export async function requireRoot(project: ProjectRow): Promise<void> {
  const found = await stat(project.root).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) throw refuse('project_root_unavailable');
}

/** A file of the tree, registered or not. @throws Refusal `draft_not_found`, `project_root_unavailable`. */
export async function readTreeFile(project: ProjectRow, ref: string): Promise<FileContent> {
  const content = await readFile(project.root, ref);
  if (content !== undefined) return content;
  await requireRoot(project);
  throw refuse('draft_not_found');
}

/** A registered draft. @throws Refusal `draft_not_found`. */
export async function requireDraft(
  handle: Handle,
  project: ProjectRow,
  ref: string,
): Promise<DraftManifestRow> {
  const draft = await findDraft(handle, project.id, ref);
  if (draft === undefined) throw refuse('draft_not_found');
  return draft;
}

/** A registered draft with its bytes, in a tree whose root is the confirmed one. */
export async function openDraft(
  handle: Handle,
  project: ProjectRow,
  ref: string,
): Promise<{ draft: DraftManifestRow; content: FileContent }> {
  await requireConfirmedRoot(handle, project);
  const draft = await requireDraft(handle, project, ref);
  return { draft, content: await readTreeFile(project, ref) };
}

/** The refusal of a write that names another revision than the present one. */
export function staleDraft(ref: string, expected: string, revision: string) {
  return refuse('draft_stale', { details: { path: ref, expected_revision: expected, revision } });
}
