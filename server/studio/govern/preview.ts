import { refuse } from '../../contract/studio/errors.ts';
import type { PreviewView } from '../../contract/studio/govern.ts';
import type { ProjectEnvironmentRow, ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { findLiveBinding, listLiveBindings } from '../environments/environments-repository.ts';
import { told } from './draft-reader.ts';
import { gateSetting } from './gated-spec.ts';
import { noDocument } from './no-document.ts';
import { runStages, type StageCall } from './stages.ts';

export interface PreviewInput {
  readonly alias: string;
  readonly draft: { readonly path: string; readonly revision: string };
  readonly text: string;
}

/** An editor buffer that its binding allows, with the platform it is for. */
export interface OpenBuffer extends StageCall {
  readonly binding: ProjectEnvironmentRow;
}

async function noBinding(deps: StudioDeps, project: ProjectRow) {
  const bound = (await listLiveBindings(deps.db, project.id)).length > 0;
  return refuse(bound ? 'unknown_alias' : 'project_unbound');
}

/** The live binding that a buffer is checked on. @throws Refusal `unknown_alias`, `project_unbound`. */
export async function bindingOfBuffer(
  deps: StudioDeps,
  project: ProjectRow,
  alias: string,
): Promise<ProjectEnvironmentRow> {
  const binding = await findLiveBinding(deps.db, project.id, alias);
  if (binding === undefined) throw await noBinding(deps, project);
  return binding;
}

/** Reads an editor buffer and passes it through the gate of the alias's live generation (studio.md 10). */
export async function openBuffer(
  deps: StudioDeps,
  project: ProjectRow,
  input: PreviewInput,
  signal: AbortSignal,
): Promise<OpenBuffer> {
  const binding = await findLiveBinding(deps.db, project.id, input.alias);
  const named = { name: input.draft.path, text: input.text };
  const setting = binding === undefined ? null : gateSetting(binding);
  const gated = await deps.drafts.bufferGated(input.text.length, named, setting);
  if (typeof gated === 'string') throw noDocument(gated);
  if (binding === undefined || gated === null) throw await noBinding(deps, project);
  const { document } = told(gated);
  const client = await deps.connections.clientFor(deps.db, binding);
  return { binding, client, document, environment: binding.platform_environment, signal };
}

/** Validates and compiles an editor buffer on the platform; nothing is written (studio.md 10). */
export async function previewBuffer(
  deps: StudioDeps,
  project: ProjectRow,
  input: PreviewInput,
  signal: AbortSignal,
): Promise<PreviewView> {
  const stages = await runStages(deps, await openBuffer(deps, project, input, signal), 'compile');
  const ok = stages.every((stage) => stage.ok);
  return { revision: input.draft.revision, ok, stages };
}
