import { refuse } from '../../contract/studio/errors.ts';
import type { PreviewView } from '../../contract/studio/govern.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { readComponent } from '../artifacts/component-text.ts';
import type { StudioDeps } from '../deps.ts';
import { findLiveBinding, listLiveBindings } from '../environments/environments-repository.ts';
import { gateSpec } from './gated-spec.ts';
import { runStages } from './stages.ts';

export interface PreviewInput {
  readonly alias: string;
  readonly draft: { readonly path: string; readonly revision: string };
  readonly text: string;
}

/** Validates and compiles an editor buffer on the platform; nothing is written (studio.md 10). */
export async function previewBuffer(
  deps: StudioDeps,
  project: ProjectRow,
  input: PreviewInput,
  signal: AbortSignal,
): Promise<PreviewView> {
  const read = readComponent(input.draft.path, input.text, { requireContent: true });
  if (!read.ok) {
    const error = { loc: ['body', 'text'], msg: read.reason, type: 'value_error' };
    throw refuse('request_invalid', { details: { errors: [error] } });
  }
  const binding = await findLiveBinding(deps.db, project.id, input.alias);
  if (binding === undefined) {
    const bound = (await listLiveBindings(deps.db, project.id)).length > 0;
    throw refuse(bound ? 'unknown_alias' : 'project_unbound');
  }
  const { document } = gateSpec(read.document, binding);
  const client = await deps.connections.clientFor(deps.db, binding);
  const environment = binding.platform_environment;
  const stages = await runStages(deps, { client, document, environment, signal }, 'compile');
  const ok = stages.every((stage) => stage.ok);
  return { revision: input.draft.revision, ok, stages };
}
