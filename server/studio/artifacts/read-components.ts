import { refuse } from '../../contract/studio/errors.ts';
import type { DraftRef } from '../../contract/studio/fields.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { staleDraft } from '../drafts/draft-files.ts';
import { findDraft } from '../drafts/drafts-repository.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { canonicalRef } from '../files/canonical-ref.ts';
import { readFile } from '../files/tree-files.ts';

/** A component as it was read, at the revision that the caller named. */
export interface Component {
  readonly role: 'base' | 'overlay';
  readonly ref: string;
  readonly revision: string;
  readonly bytes: Uint8Array;
  readonly text: string;
}

interface Wanted {
  readonly role: Component['role'];
  readonly input: DraftRef;
  /** Where it stands in the request body. */
  readonly loc: readonly (string | number)[];
}

async function requireKind(deps: StudioDeps, project: ProjectRow, wanted: Wanted): Promise<void> {
  const ref = canonicalRef(wanted.input.path);
  const draft = ref === undefined ? undefined : await findDraft(deps.db, project.id, ref);
  const kind = wanted.role === 'base' ? 'spec' : 'overlay';
  if (draft !== undefined && draft.kind !== kind) {
    throw refuse('component_wrong_kind', { details: { path: draft.ref, kind: draft.kind } });
  }
}

async function read(deps: StudioDeps, project: ProjectRow, wanted: Wanted): Promise<Component> {
  const ref = canonicalRef(wanted.input.path);
  const draft = ref === undefined ? undefined : await findDraft(deps.db, project.id, ref);
  const content = draft === undefined ? undefined : await readFile(project.root, draft.ref);
  if (draft === undefined || content === undefined) {
    throw refuse('snapshot_unavailable', { details: { path: wanted.input.path } });
  }
  if (content.revision !== wanted.input.revision) {
    throw staleDraft(draft.ref, wanted.input.revision, content.revision);
  }
  const { text } = content;
  const fault = await deps.drafts.faultOf(text.length, { name: draft.ref, text });
  if (fault !== null) {
    const error = { loc: ['body', ...wanted.loc], msg: fault, type: 'value_error' };
    throw refuse('request_invalid', { details: { errors: [error] } });
  }
  const { bytes, revision } = content;
  return { role: wanted.role, ref: draft.ref, revision, bytes, text };
}

/**
 * Reads base and overlays at the revisions that the caller named; kinds first, then bytes
 * (studio.md 7.1, steps 2 and 3).
 */
export async function readComponents(
  deps: StudioDeps,
  project: ProjectRow,
  input: { base: DraftRef; overlays: readonly DraftRef[] },
): Promise<Component[]> {
  const wanted: Wanted[] = [
    { role: 'base', input: input.base, loc: ['base'] },
    ...input.overlays.map((overlay, index): Wanted => {
      return { role: 'overlay', input: overlay, loc: ['overlays', index] };
    }),
  ];
  for (const item of wanted) await requireKind(deps, project, item);
  await requireConfirmedRoot(deps.db, project);
  const components: Component[] = [];
  for (const item of wanted) components.push(await read(deps, project, item));
  return components;
}
