import { type FlowSettings, flowSettings, toolSettings } from '../../contract/flow.ts';
import type { Rehearsal } from '../../contract/platform/rehearsals.ts';
import { buildProgram } from '../../engine/build-program.ts';
import { createRun } from '../../engine/create-run.ts';
import { type FlowRunView, flowRunsOf } from '../../engine/flow-record.ts';
import type { FlowRun } from '../../engine/flow-run.ts';
import { BuildFailure, type Program } from '../../engine/program.ts';
import type { RunState } from '../../engine/state.ts';
import type { Analysis } from '../../importers/analysis.ts';
import { isJsonObject, isObject, type JsonObject } from '../../kernel/json.ts';
import { type BuiltInSteps, createBuiltInSteps } from '../../runtime/handlers/built-in-steps.ts';
import { withRehearsal } from '../../runtime/recordings/rehearsal-effects.ts';
import { createEffectRunner, EffectFailure, type EffectRunner } from '../../runtime/run-effects.ts';
import { randomIds, systemClock } from '../../runtime/system-clock.ts';
import { loadSpec } from '../../spec/load/load-spec.ts';
import { CommandFailure } from '../command-failure.ts';
import { driveRun } from './drive-run.ts';
import {
  type RehearsedRun,
  type Rehearsal as Report,
  rehearsedRun,
  toldGaps,
} from './rehearsal-report.ts';

type Draft = Pick<Analysis, 'spec' | 'gaps'>;

/** An imported workflow, and what it is rehearsed with. */
export interface RehearsalOf {
  readonly analysis: Draft;
  /** What the source pins on its nodes, by their names. */
  readonly pinned: JsonObject;
  /** The node that begins; undefined = the first trigger, one that is pinned before others. */
  readonly trigger: string | undefined;
  /** What it gives; undefined = what is pinned on it, else one empty item. */
  readonly items: readonly unknown[] | undefined;
  /** What nodes and tools give instead of running, by their names. */
  readonly mocks?: Readonly<Record<string, readonly JsonObject[]>>;
}

/** Rehearses imported workflows one after another; closed at the end. */
export interface Rehearsals {
  /** @throws CommandFailure for a node that the workflow does not have */
  rehearse(of: RehearsalOf): Promise<Report>;
  close(): Promise<void>;
}

const clock = systemClock();
/** Answers nothing by itself, so that no answer is taken for one of a model. */
const NOBODY = { provider: 'rehearsal', model: null, runtime_mode: 'native', sdk: 'none' } as const;

function nobodyAnswers(what: string): Promise<never> {
  return Promise.reject(
    new EffectFailure(`A rehearsal has no ${what}: pin what the node gives.`, {
      retryable: false,
    }),
  );
}

function effectsOf(
  steps: BuiltInSteps,
  runId: string,
  program: Program,
  { spec }: Draft,
): EffectRunner {
  const callHandler = (name: string) => nobodyAnswers(`function '${name}'`);
  const credential = () => Promise.resolve(null);
  const own = spec['metadata'] ?? null;
  const metadata = isJsonObject(own) ? own : null;
  const callMcp = () => nobodyAnswers('tool server');
  const run = { runId, program, metadata, clock, callHandler, credential, callMcp };
  const runner = createEffectRunner({
    clock,
    callHandler,
    callStep: (effect, state, signal) => steps.call(run, effect, state, signal),
    callBuiltInTool: (effect, signal) => steps.callTool(run, effect, signal),
    callModel: () => nobodyAnswers('model'),
    callMcpTool: callMcp,
  });
  return {
    /** What waits for a moment does not wait. */
    answerNow: (effect) =>
      effect.kind === 'start_timer' && effect.reason === 'flow_wait'
        ? { type: 'timer_fired', at: effect.due_at, effect_id: effect.id }
        : undefined,
    perform: (effect, signal, state) => runner.perform(effect, signal, state),
  };
}

function flowIn({ spec }: Draft): FlowSettings | undefined {
  const { metadata } = spec;
  const read = flowSettings.safeParse(isJsonObject(metadata) ? metadata['flow'] : undefined);
  return read.success ? read.data : undefined;
}

/** The step that the import puts before several triggers; its source has none. */
function isStart(step: FlowSettings['steps'][string] | undefined): boolean {
  return step?.type === 'n8n-nodes-base.noOp' && Array.isArray(step.parameters['triggers']);
}

/** The names of the nodes that may begin, in the order of the draft. */
function triggersOf({ spec }: Draft, { steps }: FlowSettings): string[] {
  const { workflow } = spec;
  const start = isJsonObject(workflow) ? String(workflow['start']) : '';
  const step = steps[start];
  const listed = isStart(step) ? step?.parameters['triggers'] : [start];
  return (Array.isArray(listed) ? listed : []).map(
    (key) => steps[String(key)]?.name ?? String(key),
  );
}

function begins(of: RehearsalOf, flow: FlowSettings): string {
  const { trigger, pinned, analysis } = of;
  const known = Object.values(flow.steps).some(({ name }) => name === trigger);
  if (trigger !== undefined && known) return trigger;
  const triggers = triggersOf(analysis, flow);
  const first = triggers.find((name) => name in pinned) ?? triggers[0];
  if (trigger === undefined && first !== undefined) return first;
  const offered = triggers.map((name) => `'${name}'`).join(', ');
  throw new CommandFailure(
    trigger === undefined
      ? 'The workflow has no trigger.'
      : `The workflow has no node '${trigger}'; it begins with ${offered}.`,
  );
}

/**
 * True for a step that makes something of what it is given: the form of a Dify app, and a webhook
 * with an output for each of its methods. Every other trigger gives what it is said to.
 */
function readsItems({ order, steps }: FlowSettings, trigger: string): boolean {
  if (order === 'dify') return true;
  return Object.values(steps).some(
    ({ name, parameters }) => name === trigger && parameters['multipleMethods'] === true,
  );
}

function inputOf(of: RehearsalOf, flow: FlowSettings): string {
  const trigger = begins(of, flow);
  const { [trigger]: own, ...pinned } = of.pinned;
  const items = of.items ?? own;
  if (items === undefined || readsItems(flow, trigger))
    return JSON.stringify({ trigger, items: items ?? [{}], pinned });
  return JSON.stringify({ trigger, items, pinned: { ...pinned, [trigger]: items } });
}

type Answers = Rehearsal['steps'];

/** The answers to elements of one sort that are named by a mock: by their name in the source, or their key. */
function answersFor(
  { mocks = {} }: RehearsalOf,
  elements: Readonly<Record<string, { readonly name: string }>>,
): Answers {
  return Object.fromEntries(
    Object.entries(elements).flatMap(([key, { name }]) => {
      const items = Object.hasOwn(mocks, name) ? mocks[name] : mocks[key];
      return items === undefined ? [] : [[key, { by: 'mocked' as const, items: [...items] }]];
    }),
  );
}

function rehearsalOf(of: RehearsalOf, flow: FlowSettings): Rehearsal {
  const { metadata } = of.analysis.spec;
  const own = toolSettings.safeParse(isJsonObject(metadata) ? metadata['tools'] : undefined);
  const { tools } = of.analysis.spec;
  const known = { ...named(tools), ...own.data };
  const made = { steps: answersFor(of, flow.steps), tools: answersFor(of, known) };
  const all = [...Object.entries(flow.steps), ...Object.entries(known)];
  const unknown = Object.keys(of.mocks ?? {}).find(
    (name) => !all.some(([key, element]) => key === name || element.name === name),
  );
  if (unknown === undefined) return made;
  throw new CommandFailure(`The workflow has no node '${unknown}' that could be mocked.`);
}

function named(tools: unknown): Record<string, { readonly name: string }> {
  const keys = isObject(tools) ? Object.keys(tools) : [];
  return Object.fromEntries(keys.map((name) => [name, { name }]));
}

function programOf({ spec }: Draft, rehearsal: Rehearsal): Program {
  const loaded = loadSpec({ base: spec });
  if (loaded.spec === undefined)
    throw new BuildFailure(
      'SpecCompilationError',
      loaded.diagnostics[0]?.message ?? 'The draft is not valid.',
    );
  return buildProgram(loaded.spec, {
    rehearsal,
    bind: () => ({ ...NOBODY, warning: null }),
    redactText: (text) => text,
  });
}

/** A run that ended the flow is no part of its record: it gave nothing. */
function failedRun(error: Report['error'], ran: readonly FlowRunView[]): RehearsedRun[] {
  if (error === null || error.node === null) return [];
  const before = ran.filter(({ name }) => name === error.node).length;
  return [rehearsedRun(error.node, before, [])];
}

/** Why a run that came to rest is no success, and at which node. */
function errorOf(state: RunState, flow: FlowSettings): Report['error'] {
  const { status, current_node_id: key, error } = state;
  if (status === 'completed') return null;
  const node = key === null ? null : (flow.steps[key]?.name ?? key);
  if (status === 'blocked') return { node, message: 'The run waits for a person.' };
  return { node, message: error?.message ?? `The run is ${status}.` };
}

/** A draft that cannot run at all: its gaps say why. */
function refused({ gaps }: Draft, message: string): Report {
  return { status: 'error', runs: [], error: { node: null, message }, gaps: toldGaps(gaps) };
}

/** The node for which the source begins no run; one that is pinned does not count. */
function refusedAt({ analysis, pinned }: RehearsalOf, { steps }: FlowSettings): string | undefined {
  const names = new Set(Object.values(steps).map(({ name }) => name));
  const refusing = analysis.gaps
    .filter(({ kind }) => kind === 'source_cannot_run')
    .map(({ source_ref }) => source_ref.source_label);
  return refusing.find((name) => names.has(name) && !(name in pinned));
}

async function rehearse(steps: BuiltInSteps, of: RehearsalOf): Promise<Report> {
  const { analysis } = of;
  const flow = flowIn(analysis);
  if (flow === undefined)
    return refused(analysis, 'No node of the workflow runs here by itself: its gaps say why.');
  const held = refusedAt(of, flow);
  if (held !== undefined)
    return refused(
      analysis,
      `The source begins no run with '${held}' as it is set: a gap says why.`,
    );
  try {
    const rehearsal = rehearsalOf(of, flow);
    return await rehearseFlow(steps, of, {
      flow,
      rehearsal,
      program: programOf(analysis, rehearsal),
    });
  } catch (error) {
    if (error instanceof BuildFailure) return refused(analysis, error.message);
    throw error;
  }
}

/** A flow, ready to be rehearsed. */
interface Rehearsed {
  readonly flow: FlowSettings;
  readonly rehearsal: Rehearsal;
  readonly program: Program;
}

async function rehearseFlow(
  steps: BuiltInSteps,
  of: RehearsalOf,
  { flow, rehearsal, program }: Rehearsed,
): Promise<Report> {
  const input_text = inputOf(of, flow);
  const run_id = randomIds().uuid();
  let at: FlowRun | undefined;
  const setup = {
    run_id,
    target: 'workflow',
    input_text,
    environment: null,
    timeout_seconds: null,
    deadline_at: null,
  } as const;
  const state = await driveRun({
    program,
    created: createRun(setup, 'running', clock.now()),
    effects: withRehearsal(effectsOf(steps, run_id, program, of.analysis), {
      ...{ rehearsal, clock, runId: run_id, root: '' },
    }),
    clock,
    onOutcome({ points }) {
      at = points.findLast(({ place }) => place?.flow !== undefined)?.place?.flow ?? at;
    },
  });
  const ran = at === undefined ? [] : flowRunsOf({ root: flow, called: {} }, at);
  const error = errorOf(state, flow);
  const told = ran
    .filter(({ key }) => !isStart(flow.steps[key]))
    .map(({ key, name, run, outputs }) =>
      rehearsedRun(name, run, outputs, Object.hasOwn(rehearsal.steps, key)),
    );
  const runs = at?.failed ? told : [...told, ...failedRun(error, ran)];
  const gaps = toldGaps(of.analysis.gaps);
  return { status: error === null ? 'success' : 'error', runs, error, gaps };
}

export function createRehearsals(): Rehearsals {
  const steps = createBuiltInSteps();
  return {
    rehearse: (of) => rehearse(steps, of),
    close: () => steps.close(),
  };
}
