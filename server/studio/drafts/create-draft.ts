import type { DraftBody, DraftKind } from '../../contract/studio/drafts.ts';
import { refuse } from '../../contract/studio/errors.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { canonicalRef, GENERATED_FOLDER } from '../files/canonical-ref.ts';
import { sha256 } from '../files/sha256.ts';
import { createFile } from '../files/tree-files.ts';
import { requireRoot } from './draft-files.ts';
import { insertDraft } from './drafts-repository.ts';
import { refuseCaseTwin } from './register-draft.ts';
import { beginTreeOperation } from './tree-operations.ts';
import { endTreeOperation } from './tree-operations-repository.ts';
import { writeTree } from './write-tree.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const EXTENSION = /\.(?:ya?ml|json|md)$/i;
const MAX_STEM = 96;

/** The ref of a draft of that name in the generated namespace; undefined when the name is no file name. */
function generatedRef(name: string): string | undefined {
  const trimmed = name.trim();
  if (!NAME.test(trimmed)) return undefined;
  const stem = trimmed.replace(EXTENSION, '');
  if (stem === '' || stem.length > MAX_STEM) return undefined;
  return canonicalRef(
    `${GENERATED_FOLDER}${EXTENSION.test(trimmed) ? trimmed : `${trimmed}.yaml`}`,
  );
}

function badBody(field: string, msg: string) {
  const error = { loc: ['body', field], msg, type: 'value_error' };
  return refuse('request_invalid', { details: { errors: [error] } });
}

interface NewDraft {
  readonly ref: string;
  readonly kind: DraftKind;
  readonly text: string;
}

/** Creates a file whole and registers it; one that stands there already stays. */
async function createAt(
  deps: StudioDeps,
  member: Member,
  { ref, kind, text }: NewDraft,
): Promise<DraftBody> {
  const { project, principal } = member;
  const bytes = new TextEncoder().encode(text);
  const revision = sha256(bytes);
  return deps.locks.run(project.id, async () => {
    await requireConfirmedRoot(deps.db, project);
    await requireRoot(project);
    await refuseCaseTwin(deps.db, project, ref);
    const operation = await beginTreeOperation(deps, deps.db, project.id, ref, revision);
    const created = await writeTree(deps, () => createFile(project.root, ref, bytes));
    if (!created) {
      await endTreeOperation(deps.db, operation);
      throw refuse('draft_exists', { details: { path: ref } });
    }
    await inTransaction(deps.db, async (trx) => {
      await endTreeOperation(trx, operation);
      await insertDraft(trx, {
        project_id: project.id,
        ref,
        kind,
        capabilities: 'read_write',
        origin: 'authored',
        registered_at: deps.timestamp(),
        registered_by: principal.id,
        last_known_revision: revision,
      });
      await recordAct(deps, trx, member, 'create_draft', { ref, kind, revision });
    });
    return { ref, text, revision };
  });
}

/** Creates an authored draft in the generated namespace (studio.md 18). */
export async function createDraft(
  deps: StudioDeps,
  member: Member,
  input: { name: string; kind: DraftKind; text: string },
): Promise<DraftBody> {
  const ref = generatedRef(input.name);
  if (ref === undefined) {
    throw badBody('name', 'Use letters, digits, dot, hyphen and underscore, at most 96 of them');
  }
  return createAt(deps, member, { ...input, ref });
}

/** Creates an authored draft at a path of the tree that an owner chose. */
export async function createDraftAt(
  deps: StudioDeps,
  member: Member,
  input: { path: string; kind: DraftKind; text: string },
): Promise<DraftBody> {
  const ref = canonicalRef(input.path);
  if (ref === undefined || !EXTENSION.test(ref)) {
    throw badBody('path', 'Name a file of this project that ends in .yaml, .yml, .json or .md');
  }
  return createAt(deps, member, { ...input, ref });
}
