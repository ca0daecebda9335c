import { createStore } from '../../../ui/store.ts';
import { askSpecWorker } from '../spec-client.ts';
import type { AcrossAnswer } from '../spec-protocol.ts';
import { type ProjectDrafts, readProjectDrafts, textsFor } from './project-texts.ts';

/** A name of an open draft, and what it is to be called. */
export interface RenameWish {
  readonly projectId: string;
  readonly ref: string;
  /** The text as the editor shows it. */
  readonly text: string;
  readonly offset: number;
  readonly name: string;
}

/** A rename that changes other drafts too, as a dialog asks for it. */
export interface RenameRequest extends RenameWish {
  readonly project: ProjectDrafts;
  readonly answer: Exclude<AcrossAnswer, { problem: string }>;
}

/** The rename that is asked for; null without one. */
export const renameStore = createStore<RenameRequest | null>(null);

/** Looks which drafts a rename changes, as their texts stand now; `anew` passes the cache by. */
export async function lookAtRename(
  wish: RenameWish,
  anew = false,
): Promise<RenameRequest | { readonly problem: string } | undefined> {
  const { projectId, ref, text, offset, name } = wish;
  const project = await readProjectDrafts(projectId, anew);
  const texts = textsFor(project, { ref, text });
  const answer = await askSpecWorker('rename_across', { texts, place: { ref, offset }, name });
  if (answer === undefined || 'problem' in answer) return answer;
  return { ...wish, project, answer };
}

/**
 * Opens the dialog where other drafts have the name too. `alone` when only the text itself changes,
 * and why not when the name cannot be given.
 */
export async function askRename(
  wish: RenameWish,
): Promise<'asked' | 'alone' | { readonly problem: string }> {
  const found = await lookAtRename(wish);
  if (found === undefined) return 'alone';
  if ('problem' in found) return found;
  if (found.answer.files.length === 1 && found.project.failed.length === 0) return 'alone';
  renameStore.set(found);
  return 'asked';
}
