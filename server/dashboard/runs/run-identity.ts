import type { RunRow } from '../../contract/dashboard/runs.ts';
import type { RunItem } from '../platform-answers.ts';
import { firstText, objectOf, objectsOf, type Source, text, textOrNull } from '../read.ts';

type IdentityFacts = Pick<
  RunItem,
  | 'metadata'
  | 'workflow_name'
  | 'workflow_kind'
  | 'status'
  | 'visited_steps'
  | 'visited_nodes'
  | 'session_id'
  | 'started_at'
  | 'completed_at'
>;

type Identity = Pick<
  RunRow,
  'spec_name' | 'session_id' | 'environment' | 'started_at' | 'completed_at' | 'offline'
>;

/** The name of a workflow that gives none (spec-v1 4). */
const DEFAULT_NAME = /^(?:sequential|graph|concurrent|handoff|group-chat)-workflow$/;
const OFFLINE_PROVIDERS = new Set(['dummy', 'default']);

function specOf({ metadata }: Pick<IdentityFacts, 'metadata'>): Source {
  const frozen = objectOf(objectOf(metadata?.['frozen_spec'])['base']);
  return Object.keys(frozen).length > 0 ? frozen : objectOf(metadata?.['spec']);
}

function fileName(path: unknown): string | null {
  const last = text(path).split(/[/\\]/).at(-1) ?? '';
  return firstText(last.replace(/\.(?:ya?ml|json)$/i, ''));
}

/** The name that a spec gives its workflow, also where the run never came to compile it. */
export function specName(run: Pick<IdentityFacts, 'metadata' | 'workflow_name'>): string | null {
  const known = run.workflow_name ?? '';
  const own = objectOf(specOf(run)['workflow'])['name'];
  const name = DEFAULT_NAME.test(known) ? firstText(own) : firstText(known, own);
  return name ?? fileName(run.metadata?.['spec_path']);
}

/** True for an agent that the offline runtime answers for, whatever keys there are (decisions 9). */
function hasNoModel(agent: unknown): boolean {
  const model = objectOf(agent)['model'];
  if (model === null || model === undefined) return true;
  return OFFLINE_PROVIDERS.has(text(objectOf(model)['provider']));
}

/** The steps that a workflow declares: a list, or entries by id. */
function stepsOf(workflow: Source): readonly Source[] {
  const nodes = objectOf(workflow['nodes']);
  const named = Object.entries(nodes).map(([id, node]) => ({ id, ...objectOf(node) }));
  return [...['steps', 'participants'].flatMap((name) => objectsOf(workflow[name])), ...named];
}

/** True when an agent that names no model has answered: the steps say who came to work. */
function answeredWithoutModel(run: IdentityFacts): boolean {
  const spec = specOf(run);
  const components = objectOf(spec['components']);
  const agents = objectOf(components['agents']);
  const workflow = objectOf(spec['workflow']);
  const over = run.status === 'completed';
  if (run.workflow_kind === 'agent' || spec['workflow'] === undefined) {
    return over && spec['agent'] !== undefined && hasNoModel(spec['agent']);
  }
  const ran = new Set([...(run.visited_steps ?? []), ...(run.visited_nodes ?? [])]);
  const worked = stepsOf(workflow).filter((step) => ran.has(text(step['id'])));
  return worked.some((step) => {
    if (step['kind'] === 'workflow') return Object.values(agents).some(hasNoModel);
    const named = objectOf(agents)[text(step['ref'])];
    return step['kind'] === 'agent' && named !== undefined && hasNoModel(named);
  });
}

function isOffline(run: IdentityFacts): boolean {
  const warning = text(run.metadata?.['model_warning']);
  return warning.includes('offline runtime') || answeredWithoutModel(run);
}

/** What tells a run apart and where it comes from. */
export function runIdentity(run: IdentityFacts): Identity {
  return {
    spec_name: specName(run),
    session_id: run.session_id ?? null,
    environment: textOrNull(run.metadata?.['environment']),
    started_at: run.started_at ?? null,
    completed_at: run.completed_at ?? null,
    offline: isOffline(run),
  };
}
