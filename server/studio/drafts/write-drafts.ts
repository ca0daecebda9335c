import { refuse } from '../../contract/studio/errors.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { saveText } from '../history/save-text.ts';
import { openDraft, requireRef, staleDraft } from './draft-files.ts';

interface Change {
  readonly ref: string;
  readonly text: string;
  readonly expected_revision: string;
}

type Opened = Awaited<ReturnType<typeof openDraft>> & { readonly bytes: Uint8Array };

const encoder = new TextEncoder();

/** All drafts as they are to be written. @throws Refusal `draft_stale` that lists every stale one. */
async function openAll(
  deps: StudioDeps,
  { project }: Member,
  changes: readonly Change[],
): Promise<Opened[]> {
  const opened: Opened[] = [];
  const stale: ReturnType<typeof staleDraft>[] = [];
  const refs = new Set<string>();
  for (const { ref: written, text, expected_revision } of changes) {
    const ref = requireRef(written);
    if (refs.has(ref)) throw refuse('draft_stale', { details: { path: ref, paths: [ref] } });
    refs.add(ref);
    const found = await openDraft(deps.db, project, ref);
    const { revision } = found.content;
    if (revision !== expected_revision) stale.push(staleDraft(ref, expected_revision, revision));
    if (found.draft.capabilities === 'read') {
      throw refuse('draft_read_only', { details: { path: ref } });
    }
    opened.push({ ...found, bytes: encoder.encode(text) });
  }
  const [first] = stale;
  if (first === undefined) return opened;
  const paths = stale.map(({ details }) => details?.['path']);
  throw refuse('draft_stale', { details: { ...first.details, paths } });
}

function save(deps: StudioDeps, member: Member, { draft, content, bytes }: Opened) {
  const saved = { draft, expected: content.revision, bytes, cause: 'save' } as const;
  return saveText(deps, member, saved, (trx, revision) =>
    recordAct(deps, trx, member, 'save_draft', { ref: draft.ref, revision }),
  );
}

/** Puts the texts of drafts back; answers those whose text could not be. */
async function putBack(
  deps: StudioDeps,
  member: Member,
  written: readonly Opened[],
): Promise<string[]> {
  const left: string[] = [];
  for (const { draft, content } of written) {
    const now = await openDraft(deps.db, member.project, draft.ref).catch(() => undefined);
    if (now?.content.revision === content.revision) continue;
    const restored =
      now && (await save(deps, member, { ...now, bytes: content.bytes }).catch(() => undefined));
    if (restored === undefined) left.push(draft.ref);
  }
  return left;
}

/**
 * Saves several drafts, each at the revision that the caller saw, or none of them. Where a write
 * fails halfway, what was written before is put back, and the refusal names what could not be.
 */
export async function writeDrafts(
  deps: StudioDeps,
  member: Member,
  changes: readonly Change[],
): Promise<{ drafts: { ref: string; revision: string }[] }> {
  return deps.locks.run(member.project.id, async () => {
    const opened = await openAll(deps, member, changes);
    const drafts: { ref: string; revision: string }[] = [];
    for (const [index, one] of opened.entries()) {
      try {
        drafts.push({ ref: one.draft.ref, revision: await save(deps, member, one) });
      } catch (cause) {
        // The failed one may stand in its file already.
        const changed = await putBack(deps, member, opened.slice(0, index + 1));
        const message =
          changed.length === 0
            ? 'A file could not be written; every draft is as it was. Check the disk and its rights.'
            : 'A file could not be written, and not every draft could be put back. Restore those that are listed from their history.';
        throw refuse('draft_write_failed', { message, cause, details: { changed } });
      }
    }
    return { drafts };
  });
}
