import { refuse } from '../../contract/studio/errors.ts';
import type { GitHeadText, GitView } from '../../contract/studio/git.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireDraft, requireRef, requireRoot } from '../drafts/draft-files.ts';
import { listDraftRows } from '../drafts/drafts-repository.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { markOf } from './parse-git.ts';
import { inRepository } from './repository.ts';

const MAX_TEXT = 1_048_576;
/** What git says of the project's drafts, and for its owners of every file that the tree listed. */
export async function readGit(deps: StudioDeps, { project, role }: Member): Promise<GitView> {
  await requireConfirmedRoot(deps.db, project);
  await requireRoot(project);
  const { state, branch, head, prefix, marks } = await deps.git.of(project);
  const refs = new Set((await listDraftRows(deps.db, project.id)).map(({ ref }) => ref));
  if (role === 'owner') for (const ref of deps.trees.refs(project.id)) refs.add(ref);
  const shown: GitView['marks'] = [];
  for (const ref of refs) {
    const mark = markOf(marks, `${prefix}${ref}`);
    if (mark !== undefined) shown.push({ ref, mark });
  }
  return { state, branch, head, marks: shown };
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A draft's text in the commit that is checked out, with the line ends of a check-out. */
export async function readHead(
  deps: StudioDeps,
  { project }: Member,
  given: string,
): Promise<GitHeadText> {
  const ref = requireRef(given);
  await requireConfirmedRoot(deps.db, project);
  await requireDraft(deps.db, project, ref);
  await requireRoot(project);
  const found = await inRepository(project.root, async ({ prefix, head }, ask) => {
    const absent = { ref, head, state: 'absent', text: null } as const;
    if (head === null) return absent;
    const listed = await ask(['ls-tree', '-z', '--long', head, '--', `${prefix}${ref}`]);
    if (listed.state !== 'answered') return undefined;
    const [mode = '', kind, id = '', size] = listed.text.split('\t', 1).join('').split(/ +/);
    if (kind === undefined) return absent;
    const noText = { ...absent, state: 'no_text' } as const;
    if (kind !== 'blob' || !mode.startsWith('100') || Number(size) > MAX_TEXT) return noText;
    const path = `--path=${prefix}${ref}`;
    const blob = await ask(['cat-file', '--filters', path, id], { maxBytes: 2 * MAX_TEXT });
    if (blob.state !== 'answered') return undefined;
    const text = decode(blob.bytes);
    return text === undefined ? noText : { ...absent, state: 'text' as const, text };
  });
  const answer = found.state === 'ready' ? found.value : undefined;
  if (answer === undefined) {
    const state = found.state === 'ready' ? 'unreadable' : found.state;
    throw refuse('git_unavailable', { details: { state } });
  }
  return answer;
}
