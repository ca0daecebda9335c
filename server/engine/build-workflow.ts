import type { Rehearsal, RehearsalAnswer } from '../contract/platform/rehearsals.ts';
import type { Spec, Step, Workflow } from '../spec/schema/spec-types.ts';
import { workflowName } from '../spec/schema/workflow-name.ts';
import { buildFlow } from './build-flow.ts';
import { own } from './own.ts';
import {
  BuildFailure,
  type ProgramEdge,
  type ProgramStep,
  type ProgramWorkflow,
  type RehearsedStep,
} from './program.ts';

function checkRef(spec: Spec, step: Step): void {
  const { agents, functions, humans, workflows } = spec.components;
  const tables = {
    agent: agents,
    guardrail: agents,
    function: functions,
    human: humans,
    workflow: workflows,
  };
  if (!Object.hasOwn(tables[step.kind], step.ref)) {
    throw new BuildFailure(
      'SpecCompilationError',
      `Step '${step.id}' refers to the unknown ${step.kind} '${step.ref}'.`,
    );
  }
}

function rehearsedStep(answer: RehearsalAnswer): RehearsedStep {
  return { by: answer.by, items: answer.by === 'recorded' ? null : answer.items };
}

/** What the steps of a workflow are built with. */
interface StepsOf {
  readonly spec: Spec;
  readonly answers: Rehearsal['steps'];
}

function buildSteps(
  { spec, answers }: StepsOf,
  entries: readonly (readonly [string, Step])[],
  fallbacks: boolean,
  counterOf: (key: string) => number,
): ReadonlyMap<string, ProgramStep> {
  const enabled = entries.filter(([, step]) => step.enabled);
  const keys = new Set(enabled.map(([key]) => key));
  return new Map(
    enabled.map(([key, step]) => {
      checkRef(spec, step);
      const timeout = step.timeout_seconds ?? 0;
      const usable = fallbacks && step.fallback_ref !== null && keys.has(step.fallback_ref);
      const answer = own(answers, key);
      const built: ProgramStep = {
        key,
        kind: step.kind,
        ref: step.ref,
        on_error: step.on_error,
        fallback: usable ? step.fallback_ref : null,
        attempts: Math.max(0, step.max_retries) + 1,
        timeout_seconds: timeout > 0 ? timeout : null,
        counter: counterOf(key),
        ...(answer === undefined ? {} : { rehearsed: rehearsedStep(answer) }),
      };
      return [key, built] as const;
    }),
  );
}

function listed(steps: readonly Step[]): (readonly [string, Step])[] {
  return steps.map((step) => [step.id, step] as const);
}

function enabledIds(steps: readonly Step[]): string[] {
  return steps.filter((step) => step.enabled).map((step) => step.id);
}

function filled(name: string, ids: readonly string[]): readonly string[] {
  if (ids.length > 0) return ids;
  throw new BuildFailure('ValueError', `Workflow '${name}' needs at least one enabled step.`);
}

function edgesOf(wf: Workflow & { type: 'graph' }, steps: ReadonlyMap<string, ProgramStep>) {
  const edges: Record<string, ProgramEdge[]> = Object.fromEntries(
    [...steps.keys()].map((key) => [key, []]),
  );
  for (const edge of wf.edges) {
    if (!steps.has(edge.to)) continue;
    own(edges, edge.from)?.push({ to: edge.to, condition: edge.condition });
  }
  return edges;
}

function handoffTurns(wf: Workflow & { type: 'handoff' }, ids: readonly string[]) {
  const chosen = wf.selector.type === 'sequence' ? wf.selector.sequence : [];
  const known = new Set(ids);
  const order = chosen.length === 0 ? ids : chosen.filter((id) => known.has(id));
  const most = wf.max_iterations ?? order.length;
  return { order, turn_count: Math.max(0, Math.min(order.length, most)) };
}

function absentTurn(wf: Workflow & { type: 'handoff' }, ids: readonly string[]) {
  if (wf.selector.type !== 'sequence') return {};
  const present = new Set(ids);
  const absent = wf.selector.sequence.find((id) => !present.has(id));
  return absent === undefined ? {} : { absent };
}

/** Numbers the counters of step ends: one for each step id, one for each node id of a spec. */
export class StepCounters {
  private readonly known = new Map<string, number>();

  private of(key: string): number {
    const number = this.known.get(key) ?? this.known.size;
    this.known.set(key, number);
    return number;
  }

  ofStep(key: string): number {
    return this.of(`${key}|`);
  }

  ofNode(key: string): number {
    return this.of(`|${key}`);
  }
}

/** A workflow with its disabled steps left out (spec-v1 4, 10, 12); `component`: null for the root. */
export function buildWorkflow(
  spec: Spec,
  wf: Workflow,
  component: string | null,
  counters: StepCounters,
  answers: Rehearsal['steps'] = {},
): ProgramWorkflow {
  const of = { spec, answers };
  const ofStep = (key: string) => counters.ofStep(key);
  const name = workflowName(wf);
  const base = { name, description: wf.description, type: wf.type };
  switch (wf.type) {
    case 'sequential': {
      const steps = buildSteps(of, listed(wf.steps), true, ofStep);
      const order = filled(name, enabledIds(wf.steps));
      return {
        ...base,
        shape: 'sequential',
        steps,
        order,
        turn_count: order.length,
        participant_count: order.length,
        rounds: null,
      };
    }
    case 'graph': {
      const steps = buildSteps(of, Object.entries(wf.nodes), true, (key) => counters.ofNode(key));
      if (!steps.has(wf.start)) {
        throw new BuildFailure(
          'SpecCompilationError',
          `Graph '${name}' has no start node '${wf.start}'.`,
        );
      }
      const graph = { start: wf.start, edges: edgesOf(wf, steps), max_steps: wf.max_steps };
      const flow = buildFlow(spec.metadata, component, steps, graph.edges);
      return { ...base, shape: 'graph', steps, ...graph, ...(flow === undefined ? {} : { flow }) };
    }
    case 'concurrent': {
      const steps = buildSteps(of, listed(wf.participants), false, ofStep);
      return {
        ...base,
        shape: 'concurrent',
        steps,
        order: filled(name, enabledIds(wf.participants)),
      };
    }
    case 'handoff': {
      const steps = buildSteps(of, listed(wf.participants), false, ofStep);
      const ids = filled(name, enabledIds(wf.participants));
      return {
        ...base,
        shape: 'handoff',
        steps,
        ...handoffTurns(wf, ids),
        participant_count: ids.length,
        rounds: null,
        ...absentTurn(wf, ids),
      };
    }
    case 'group-chat':
    case 'group_chat': {
      const steps = buildSteps(of, listed(wf.participants), false, ofStep);
      const ids = filled(name, enabledIds(wf.participants));
      return {
        ...base,
        shape: 'group_chat',
        steps,
        order: ids,
        turn_count: Math.max(0, wf.rounds) * ids.length,
        participant_count: ids.length,
        rounds: wf.rounds,
      };
    }
  }
}
