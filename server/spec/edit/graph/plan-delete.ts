import { isObject } from '../../../kernel/json.ts';
import { plainSteps, workflowsOf } from '../../schema/elements.ts';
import type { Edge, Spec } from '../../schema/spec-types.ts';
import type { DocumentEdit } from '../edit-value.ts';
import { type GraphOperation, type Plan, refused, type StepAddress } from './operation.ts';
import { dropFallback } from './plan-line.ts';
import { COMPONENTS } from './plan-step.ts';
import { type StepAt, stepAt, turnsOf, type WorkflowAt, writtenAt } from './workflow-at.ts';

interface Gone {
  readonly edits: readonly DocumentEdit[];
  readonly notes: readonly string[];
}

const NOTHING: Gone = { edits: [], notes: [] };

function counted(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}

function edgesGone({ workflow, path }: WorkflowAt, key: string): Gone {
  if (workflow.type !== 'graph') return NOTHING;
  const gone = workflow.edges.flatMap(({ from, to }, index) =>
    from === key || to === key ? [index] : [],
  );
  return gone.length === 0
    ? NOTHING
    : {
        edits: gone
          .toReversed()
          .map((index) => ({ op: 'delete', path: [...path, 'edges', index] })),
        notes: [`${counted(gone.length, 'edge')} went with it.`],
      };
}

/** The step that a graph starts with when its start is gone: the first one behind it, else the first that is left. */
function nextStart(
  steps: readonly StepAt[],
  edges: readonly Edge[],
  key: string,
): string | undefined {
  const left = steps.filter((one) => one.key !== key && one.step.enabled);
  const behind = edges.flatMap(({ from, to }) => (from === key ? [to] : []));
  return behind.find((to) => left.some((one) => one.key === to)) ?? left[0]?.key;
}

function startGone(at: WorkflowAt, key: string): Gone {
  if (at.workflow.type !== 'graph' || at.workflow.start !== key) return NOTHING;
  const start = nextStart(at.steps, at.workflow.edges, key);
  return start === undefined
    ? NOTHING
    : {
        edits: [{ op: 'set', path: [...at.path, 'start'], value: start }],
        notes: [`The workflow starts with "${start}" now.`],
      };
}

function fallbacksGone(at: WorkflowAt, key: string): Gone {
  const using = at.steps.filter((one) => one.key !== key && one.step.fallback_ref === key);
  return {
    edits: using.flatMap((one) => dropFallback(at, one)),
    notes: using.map((one) => `"${one.key}" has no fallback any more.`),
  };
}

function turnsGone({ workflow, path }: WorkflowAt, key: string): Gone {
  const turns = turnsOf(workflow).flatMap((name, index) => (name === key ? [index] : []));
  return turns.length === 0
    ? NOTHING
    : {
        edits: turns
          .toReversed()
          .map((index) => ({ op: 'delete', path: [...path, 'selector', 'sequence', index] })),
        notes: [`${counted(turns.length, 'turn')} went with it.`],
      };
}

function settingsGone({ flow }: WorkflowAt, key: string): Gone | string {
  const written = flow === null ? null : writtenAt(flow, ['steps']);
  const steps = isObject(written) ? written : {};
  const naming = Object.entries(steps).find(
    ([name, settings]) =>
      name !== key &&
      isObject(settings) &&
      JSON.stringify([settings['inputs'], settings['parameters'], settings['inside']]).includes(
        JSON.stringify(key),
      ),
  );
  if (naming !== undefined) {
    return `The settings of "${naming[0]}" in metadata.flow name this step. Change them first.`;
  }
  return Object.hasOwn(steps, key)
    ? {
        edits: [{ op: 'delete', path: ['metadata', 'flow', 'steps', key] }],
        notes: ['Its settings in metadata.flow went with it.'],
      }
    : NOTHING;
}

function unusedNote(spec: Spec, gone: StepAt): string[] {
  const { kind, ref } = gone.step;
  const map = COMPONENTS[kind];
  const used = workflowsOf(spec)
    .flatMap(({ item }) => plainSteps(item))
    .some((step) => step !== gone.step && COMPONENTS[step.kind] === map && step.ref === ref);
  return used ? [] : [`No step uses components.${map}.${ref} now; it stays declared.`];
}

function neighbour(at: WorkflowAt, { segment }: StepAt): StepAddress | null {
  const index = at.steps.findIndex((one) => one.segment === segment);
  const near = at.steps[index + 1] ?? at.steps[index - 1];
  if (near === undefined) return null;
  const moved = typeof near.segment === 'number' && near.segment > index ? 1 : 0;
  const step = typeof near.segment === 'number' ? near.segment - moved : near.segment;
  return { workflow: at.name, step };
}

/** Takes a step away with all that names it in its workflow. */
export function planDeleteStep(
  spec: Spec,
  operation: Extract<GraphOperation, { op: 'delete_step' }>,
): Plan {
  const place = stepAt(spec, operation.at);
  if (place === undefined) return refused('This step is not in the text any more.');
  const { at, found } = place;
  if (!at.steps.some((one) => one !== found && one.step.enabled)) {
    return refused('A workflow needs at least one enabled step; this is the last one.');
  }
  const settings = settingsGone(at, found.key);
  if (typeof settings === 'string') return refused(settings);
  const { key } = found;
  const parts = [
    startGone(at, key),
    fallbacksGone(at, key),
    edgesGone(at, key),
    turnsGone(at, key),
    settings,
  ];
  return {
    edits: [
      ...parts.flatMap(({ edits }) => edits),
      { op: 'delete', path: [...at.holder, found.segment] },
    ],
    notes: [...parts.flatMap(({ notes }) => notes), ...unusedNote(spec, found)],
    select: neighbour(at, found),
  };
}
