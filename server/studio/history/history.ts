import { refuse } from '../../contract/studio/errors.ts';
import type { DraftVersion } from '../../contract/studio/history.ts';
import type { DraftVersionRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { openDraft, requireDraft, requireRef, staleDraft } from '../drafts/draft-files.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { readKeptText } from '../files/kept-texts-repository.ts';
import { saveText } from './save-text.ts';
import { findVersion, listVersions, setVersionName } from './versions-repository.ts';

/** So many versions of a draft can have names. */
const MOST_NAMED = 100;

/** Texts that a draft had, newest first. */
export async function readHistory(
  deps: StudioDeps,
  { project }: Member,
  path: string,
): Promise<{ ref: string; versions: DraftVersion[] }> {
  const ref = requireRef(path);
  await requireConfirmedRoot(deps.db, project);
  await requireDraft(deps.db, project, ref);
  const rows = await listVersions(deps.db, project.id, ref);
  const versions = rows.map(({ id, revision, size, cause, saved_at, saver, name }) => ({
    id,
    revision,
    size,
    cause,
    saved_at,
    saved_by: saver,
    name,
  }));
  return { ref, versions };
}

interface Found {
  readonly version: DraftVersionRow;
  readonly bytes: Buffer;
}

async function requireVersion(deps: StudioDeps, member: Member, id: string): Promise<Found> {
  const { project } = member;
  await requireConfirmedRoot(deps.db, project);
  const number = /^\d{1,15}$/.test(id) ? Number(id) : undefined;
  const version = number === undefined ? undefined : await findVersion(deps.db, project.id, number);
  if (version === undefined) throw refuse('version_not_found');
  await requireDraft(deps.db, project, version.ref);
  const bytes = await readKeptText(deps.db, project.id, version.revision);
  if (bytes === undefined) throw refuse('version_not_found');
  return { version, bytes };
}

/** One text that a draft had. */
export async function readVersion(
  deps: StudioDeps,
  member: Member,
  id: string,
): Promise<{ ref: string; revision: string; text: string }> {
  const { version, bytes } = await requireVersion(deps, member, id);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  return { ref: version.ref, revision: version.revision, text };
}

/** Names a version, with which it is kept, or takes its name away. */
export async function nameVersion(
  deps: StudioDeps,
  member: Member,
  id: string,
  name: string | null,
): Promise<void> {
  const { version } = await requireVersion(deps, member, id);
  const { ref, revision } = version;
  await inTransaction(deps.db, async (trx) => {
    const named = (await listVersions(trx, member.project.id, ref)).filter((row) => row.name);
    if (name !== null && version.name === null && named.length >= MOST_NAMED) {
      throw refuse('version_names_full');
    }
    await setVersionName(trx, version.id, name);
    await recordAct(deps, trx, member, 'name_version', { ref, revision });
  });
}

/** Saves a text that the draft had once more, over the revision that the caller saw. */
export async function restoreVersion(
  deps: StudioDeps,
  member: Member,
  id: string,
  expected: string,
): Promise<{ revision: string }> {
  const { project } = member;
  return deps.locks.run(project.id, async () => {
    const { version, bytes } = await requireVersion(deps, member, id);
    const { ref } = version;
    const { draft, content } = await openDraft(deps.db, project, ref);
    if (content.revision !== expected) throw staleDraft(ref, expected, content.revision);
    if (draft.capabilities === 'read') throw refuse('draft_read_only', { details: { path: ref } });
    const saved = { draft, expected, bytes, cause: 'restore' } as const;
    const revision = await saveText(deps, member, saved, (trx) =>
      recordAct(deps, trx, member, 'save_draft', { ref, revision: version.revision }),
    );
    return { revision };
  });
}
