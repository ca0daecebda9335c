import type { RegistryChange } from '../../contract/studio/bindings.ts';
import { refuse } from '../../contract/studio/errors.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { ProjectEnvironmentRow, ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { listDraftRows } from '../drafts/drafts-repository.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { readFile } from '../files/tree-files.ts';
import { offeredNames } from '../govern/offered-names.ts';
import { onPlatform } from '../govern/platform-refusal.ts';
import { requireOwnStudio } from './change-bindings.ts';
import { requireLiveBinding } from './environment-state.ts';
import { insertGeneration } from './environments-repository.ts';
import {
  offeredRegistry,
  type Registry,
  readRegistryText,
  storedRegistry,
} from './registry-entries.ts';

/** Where a registry comes from: a file's text, or null for what the bound platform offers. */
export type RegistrySource = string | null;

interface Proposed {
  readonly binding: ProjectEnvironmentRow;
  readonly before: Registry;
  readonly after: Registry;
  readonly skipped: readonly string[];
}

async function propose(
  deps: StudioDeps,
  project: ProjectRow,
  alias: string,
  source: RegistrySource,
  signal: AbortSignal,
): Promise<Proposed> {
  const binding = await requireLiveBinding(deps, project.id, alias);
  const before = storedRegistry(binding.registry_snapshot);
  if (source !== null) return { binding, before, after: readRegistryText(source), skipped: [] };
  const names = await onPlatform(deps, () => offeredNames(deps, binding, signal));
  if (names === null) throw refuse('registry_not_told');
  const { registry, skipped } = offeredRegistry(names);
  return { binding, before, after: registry, skipped };
}

async function usesOf(
  deps: StudioDeps,
  project: ProjectRow,
  { before, after }: Proposed,
): Promise<RegistryChange['uses']> {
  await requireConfirmedRoot(deps.db, project);
  const uses: RegistryChange['uses'] = [];
  const state = (registry: Registry, name: string) =>
    Object.hasOwn(registry, name) ? ('filled' as const) : ('missing' as const);
  for (const { ref } of await listDraftRows(deps.db, project.id)) {
    const text = (await readFile(project.root, ref))?.text;
    if (text?.includes('$registry') !== true) continue;
    for (const { path, name } of await deps.drafts.registryUses(text.length, { name: ref, text })) {
      uses.push({ ref, path, name, before: state(before, name), after: state(after, name) });
    }
  }
  return uses;
}

async function toChange(
  deps: StudioDeps,
  project: ProjectRow,
  proposed: Proposed,
  generation: number | null,
): Promise<RegistryChange> {
  const { binding, before, after, skipped } = proposed;
  const names = Object.keys(after).sort();
  const known = names.filter((name) => Object.hasOwn(before, name));
  return {
    alias: binding.alias,
    generation,
    names,
    added: names.filter((name) => !Object.hasOwn(before, name)),
    changed: known.filter(
      (name) => canonicalJson(before[name], 'ascii') !== canonicalJson(after[name], 'ascii'),
    ),
    removed: Object.keys(before)
      .filter((name) => !Object.hasOwn(after, name))
      .sort(),
    skipped: [...skipped],
    uses: await usesOf(deps, project, proposed),
  };
}

/** What another registry would change for the drafts of the project; nothing is written. */
export async function previewRegistry(
  deps: StudioDeps,
  project: ProjectRow,
  alias: string,
  source: RegistrySource,
  signal: AbortSignal,
): Promise<RegistryChange> {
  const proposed = await propose(deps, project, alias, source, signal);
  return toChange(deps, project, proposed, null);
}

/** Gives an alias its next generation with another registry; one that changes nothing makes none. */
export async function attachRegistry(
  deps: StudioDeps,
  member: Member,
  alias: string,
  source: RegistrySource,
  signal: AbortSignal,
): Promise<RegistryChange> {
  requireOwnStudio(deps);
  const { project } = member;
  const proposed = await propose(deps, project, alias, source, signal);
  const stored = canonicalJson(proposed.after, 'ascii');
  if (stored === canonicalJson(proposed.before, 'ascii')) {
    return toChange(deps, project, proposed, null);
  }
  const generation = await inTransaction(deps.db, async (trx) => {
    const { generation: _old, ...rest } = proposed.binding;
    const created_at = deps.timestamp();
    const row = { ...rest, registry_snapshot: stored, created_at };
    const inserted = await insertGeneration(trx, row);
    await recordAct(deps, trx, member, 'attach_registry', {
      alias,
      generation: inserted.generation,
      entries: Object.keys(proposed.after).length,
      from: source === null ? 'platform' : 'file',
    });
    return inserted.generation;
  });
  return toChange(deps, project, proposed, generation);
}
