import { isObject } from '../kernel/json.ts';
import { itemsOf, listOf } from './append-list.ts';
import { emptyState, startedMetadata } from './create-run.ts';
import { canGoOn } from './go-on.ts';
import { findTurn } from './kinds/turns.ts';
import {
  latestText,
  type Message,
  message,
  withLastAssistantText,
  withLatestText,
} from './message.ts';
import { getNamed, setNamed } from './name-map.ts';
import type { Program, ProgramWorkflow } from './program.ts';
import type { Place, ResumePoint, RunOrigin } from './resume-point.ts';
import { getSeq, setSeq } from './seq-map.ts';
import type { RunSetup } from './state.ts';
import type { StepOutcome } from './step-outcome.ts';
import { Turn } from './turn.ts';

/** A message of an edit: as in the contract, what is left out is null or empty. */
export interface EditedMessage {
  readonly role: Message['role'];
  readonly content: string;
  readonly name?: string | null;
}

/** What of the state is changed before the new run goes on. What is left out stays. */
export interface RerunEdits {
  /**
   * The text that the run goes on with: the run's input at the very beginning, else what the step that
   * ended last gave. In a graph the edges are evaluated on it.
   */
  readonly input?: string;
  /** The thread so far, in place of the one that was kept. `input` is applied after it. */
  readonly messages?: readonly EditedMessage[];
  /** Concurrent: what participants gave, by their id; their own messages become this one text. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** The step or node to go on with, in place of the one that would follow. */
  readonly next_step?: string;
  /** What agents remember, by agent component name; the root agent has the name ''. */
  readonly histories?: Readonly<Record<string, readonly EditedMessage[]>>;
}

/** What a rerun needs. */
export interface RerunRequest {
  /** Of the new run: its own run id; target and input as in the origin. */
  readonly setup: RunSetup;
  readonly status: 'queued' | 'running';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The checkpoint that the new run begins from; `edited` is filled in here. */
  readonly origin: Omit<RunOrigin, 'edited'>;
  /** The resume point that the checkpoint names, as it was stored. */
  readonly point: ResumePoint;
  readonly edits?: RerunEdits;
}

/** Why an edit or a place is refused: the member of `RerunEdits`, or `point`, and what to do. */
export interface RerunRefusal {
  readonly field: keyof RerunEdits | 'point';
  readonly message: string;
}

/** The first round of the new run, or why there is none. */
export type RerunResult =
  | { readonly ok: true; readonly outcome: StepOutcome }
  | { readonly ok: false; readonly refusal: RerunRefusal };

class Refused extends Error {
  readonly refusal: RerunRefusal;

  constructor(field: RerunRefusal['field'], text: string) {
    super(text);
    this.refusal = { field, message: text };
  }
}

/**
 * A new run that goes on from a checkpoint of another one, with an edited state if asked (issue:
 * rerun). Like `createRun` it gives the state before the first event and the `run_started`
 * checkpoint, which names the origin as `rerun_of`; `start` sets it going. What ended before the
 * checkpoint is not run again: the path and the memory of the agents come along; usage, budgets,
 * iteration counts and checkpoints are the new run's own.
 */
export function rerunFrom(program: Program, request: RerunRequest): RerunResult {
  const { setup, edits = {} } = request;
  try {
    const point = editedPoint(program, request.point, setup, edits);
    const edited = Object.keys(edits).filter((key) => Object.hasOwn(edits, key));
    const origin: RunOrigin = { ...request.origin, edited };
    const input_text = point.place === null ? (edits.input ?? setup.input_text) : setup.input_text;
    const empty = emptyState({ ...setup, input_text }, request.status);
    const { place, histories } = point;
    const turn = new Turn(null, { ...empty, histories, origin, begins_at: place }, request.at);
    turn.markPoint(place);
    turn.checkpoint('run_started', {
      ...startedMetadata(turn.run.setup),
      rerun_of: { ...origin, edited: [...edited] },
    });
    return { ok: true, outcome: turn.outcome() };
  } catch (cause) {
    if (cause instanceof Refused) return { ok: false, refusal: cause.refusal };
    throw cause;
  }
}

function editedPoint(
  program: Program,
  point: ResumePoint,
  setup: RunSetup,
  edits: RerunEdits,
): Pick<ResumePoint, 'place' | 'histories'> {
  const histories = editedHistories(program, point, edits);
  const workflow = setup.target === 'workflow' ? program.root_workflow : null;
  if (point.place === null) {
    refuseAtStart(edits);
    return { place: null, histories };
  }
  if (workflow === null) throw new Refused('point', 'The run has no workflow to go on with.');
  const place = editedPlace(workflow, point.place, edits);
  if (!canGoOn(workflow, place)) {
    throw new Refused('point', 'The workflow of the run has no such place.');
  }
  return { place, histories };
}

function refuseAtStart(edits: RerunEdits): void {
  for (const field of ['messages', 'outputs', 'next_step'] as const) {
    if (edits[field] === undefined) continue;
    throw new Refused(field, 'Nothing has ended at this checkpoint: only the input can be edited.');
  }
}

const ROLES: readonly string[] = ['user', 'assistant', 'system', 'tool'];

function toMessages(field: keyof RerunEdits, list: readonly EditedMessage[]): Message[] {
  return list.map((item) => {
    if (!isObject(item) || !ROLES.includes(item.role) || typeof item.content !== 'string') {
      throw new Refused(field, `Each message needs a role (${ROLES.join(', ')}) and a content.`);
    }
    return message(item.role, item.content, item.name ?? null);
  });
}

function editedHistories(program: Program, point: ResumePoint, edits: RerunEdits) {
  let { histories } = point;
  for (const [agent, list] of Object.entries(edits.histories ?? {})) {
    if (!Object.hasOwn(program.agents, agent)) {
      throw new Refused('histories', `The spec has no agent component '${agent}'.`);
    }
    histories = setNamed(histories, agent, listOf(toMessages('histories', list)));
  }
  return histories;
}

function editedPlace(wf: ProgramWorkflow, place: Place, edits: RerunEdits): Place {
  let edited = withMessages(place, edits.messages);
  edited = withOutputs(wf, edited, edits.outputs);
  edited = withInput(edited, edits.input);
  return withNextStep(wf, edited, edits.next_step);
}

function withMessages(place: Place, list: RerunEdits['messages']): Place {
  if (list === undefined) return place;
  const messages = toMessages('messages', list);
  const thread = listOf(messages);
  const { go } = place;
  if (go.kind === 'end') return { ...place, thread, go: { ...go, messages } };
  return { ...place, thread, last_messages: place.last_messages === null ? null : messages };
}

function withOutputs(wf: ProgramWorkflow, place: Place, outputs: RerunEdits['outputs']): Place {
  if (outputs === undefined) return place;
  if (wf.shape !== 'concurrent') {
    throw new Refused(
      'outputs',
      'Only participants of a concurrent workflow have outputs to edit.',
    );
  }
  let { settled } = place;
  for (const [key, text] of Object.entries(outputs)) {
    const slot = wf.order.indexOf(key);
    if (getSeq(settled, slot) === undefined) {
      throw new Refused('outputs', `Participant '${key}' had given nothing at this checkpoint.`);
    }
    settled = setSeq(settled, slot, { text, added: [message('assistant', text, key)] });
  }
  return { ...place, settled };
}

function withInput(place: Place, input: string | undefined): Place {
  if (input === undefined) return place;
  const { go, last_messages } = place;
  const thread = withLatestText(place.thread, input);
  switch (go.kind) {
    case 'next':
      return { ...place, thread };
    case 'node':
      return { ...place, thread, go: { ...go, input } };
    case 'flow':
      throw new Refused(
        'input',
        'The items of a flow stand in its steps: they are not edited here.',
      );
    case 'route':
      return {
        ...place,
        thread,
        go: { ...go, output: input },
        last_messages: last_messages === null ? null : withLastAssistantText(last_messages, input),
      };
    case 'end': {
      const messages = itemsOf(withLatestText(listOf(go.messages), input));
      return { ...place, thread, go: { ...go, text: input, messages } };
    }
  }
}

function withNextStep(wf: ProgramWorkflow, place: Place, step: string | undefined): Place {
  if (step === undefined) return place;
  if (wf.shape === 'concurrent') {
    throw new Refused('next_step', 'A concurrent workflow has no next step.');
  }
  if (!wf.steps.has(step)) {
    throw new Refused('next_step', `The workflow has no enabled step '${step}'.`);
  }
  if (wf.shape === 'graph' && wf.flow !== undefined) {
    throw new Refused('next_step', 'Who runs next in an item flow is said by its items.');
  }
  if (wf.shape === 'graph') {
    return { ...place, go: { kind: 'node', node: step, input: placeInput(place) } };
  }
  const next = findTurn(wf, step, place.next) ?? findTurn(wf, step, 0);
  if (next === undefined) throw new Refused('next_step', `Step '${step}' never has a turn.`);
  return { ...place, next, go: { kind: 'next' } };
}

/** The text that a place goes on with. */
export function placeInput(place: Place): string {
  const { go } = place;
  if (go.kind === 'route') return go.output;
  if (go.kind === 'node') return go.input;
  if (go.kind === 'end') return go.text;
  return latestText(place.thread);
}

/** What a person sees before editing: the members of `RerunEdits` as they stand at a point. */
export function editableState(program: Program, point: ResumePoint, setup: RunSetup): RerunEdits {
  const { place } = point;
  const names = Object.keys(program.agents);
  const histories = Object.fromEntries(
    names.flatMap((name) => {
      const list = getNamed(point.histories, name);
      return list === undefined ? [] : [[name, itemsOf(list)] as const];
    }),
  );
  if (place === null) return { input: setup.input_text, histories };
  const messages = place.go.kind === 'end' ? place.go.messages : itemsOf(place.thread);
  const shown = { input: placeInput(place), messages, histories };
  const wf = program.root_workflow;
  if (wf?.shape !== 'concurrent') return shown;
  const outputs = wf.order.flatMap((key, slot) => {
    const settled = getSeq(place.settled, slot);
    return settled === undefined ? [] : [[key, settled.text] as const];
  });
  return { ...shown, outputs: Object.fromEntries(outputs) };
}
