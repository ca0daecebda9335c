import { refuse } from '../../contract/studio/errors.ts';
import type { DraftRef } from '../../contract/studio/fields.ts';
import type { DraftManifestRow, ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { staleDraft } from '../drafts/draft-files.ts';
import { findDrafts } from '../drafts/drafts-repository.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { canonicalRef } from '../files/canonical-ref.ts';
import { type FileContent, readFiles } from '../files/tree-files.ts';

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

type Draft = DraftManifestRow | undefined;

function requireKind({ role }: Wanted, draft: Draft): void {
  const kind = role === 'base' ? 'spec' : 'overlay';
  if (draft !== undefined && draft.kind !== kind) {
    throw refuse('component_wrong_kind', { details: { path: draft.ref, kind: draft.kind } });
  }
}

async function read(
  deps: StudioDeps,
  wanted: Wanted,
  draft: Draft,
  contents: ReadonlyMap<string, FileContent>,
): Promise<Component> {
  const content = draft && contents.get(draft.ref);
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
  const asked = wanted.map(({ input }) => canonicalRef(input.path));
  const known = await findDrafts(
    deps.db,
    project.id,
    asked.flatMap((ref) => ref ?? []),
  );
  const drafts = asked.map((ref) => (ref === undefined ? undefined : known.get(ref)));
  for (const [at, item] of wanted.entries()) requireKind(item, drafts[at]);
  await requireConfirmedRoot(deps.db, project);
  const contents = await readFiles(project.root, [...known.keys()]);
  const components: Component[] = [];
  for (const [at, item] of wanted.entries()) {
    components.push(await read(deps, item, drafts[at], contents));
  }
  return components;
}
