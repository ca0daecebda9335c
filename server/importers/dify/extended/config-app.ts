import type { JsonObject } from '../../../kernel/json.ts';
import type { SourceRef } from '../../analysis.ts';
import {
  type AgentPayload,
  type Field,
  type Graph,
  type Loss,
  type ModelCallPayload,
  type Node,
  shownSettings,
  unsaidBound,
} from '../../graph-ir.ts';
import { isWritable } from '../../json-of.ts';
import { convertConfigApp } from '../config-app.ts';
import type { DifyDocument } from '../document.ts';
import { extrasOf, keptModel, MESSAGES_PER_TURN, providerLosses, WINDOW_DEFAULT } from './calls.ts';

const VARIABLE = /\{\{(#?)([A-Za-z_]\w{0,29})#?\}\}/g;

interface App {
  readonly title: string;
  readonly ref: SourceRef;
}

interface Carried<Payload> {
  readonly payload: Payload;
  readonly losses: readonly Loss[];
}

/** The prompt with markers for what the caller gives; the question itself comes with the run. */
function carriedPrompt({ title, ref }: App, prompt: Field<string>): Carried<Field<string>> {
  if (prompt.state !== 'unresolved' || prompt.cause !== 'expression') {
    return { payload: prompt, losses: [] };
  }
  const computed = new Set<string>();
  const passed = new Set<string>();
  const text = prompt.display.replace(VARIABLE, (whole: string, mark: string, name: string) => {
    const isPassed = mark === '#' && (name === 'query' || name === 'histories');
    (isPassed ? passed : computed).add(whole);
    return isPassed ? '' : `[${name}]`;
  });
  const losses: Loss[] = [];
  if (computed.size > 0) {
    const detail = `The prompt of "${title}" takes values of the source (${[...computed].join(', ')}); the draft has a marker in their place.`;
    losses.push({ ref, kind: 'expression', detail, about: 'prompt' });
  }
  if (passed.size > 0) {
    const detail = `The prompt of "${title}" embeds what the run is given (${[...passed].join(', ')}); the draft gives it to the step instead.`;
    const todo = 'Check that the prompt reads well with the input after it.';
    const loss = { ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
    losses.push({ ...loss, about: 'prompt' });
  }
  const value = text.trim();
  return value === ''
    ? { payload: { state: 'absent' }, losses }
    : { payload: { state: 'resolved', value: text, provenance: 'authored' }, losses };
}

function membersOf(doc: DifyDocument, rounds: number | undefined): JsonObject {
  const members: JsonObject = {};
  if (doc.mode === 'agent-chat') {
    const strategy: JsonObject = { type: 'react' };
    if (rounds !== undefined) strategy['max_iterations'] = rounds;
    members['strategy'] = strategy;
  }
  if (doc.mode !== 'completion') {
    const max_messages = WINDOW_DEFAULT * MESSAGES_PER_TURN;
    members['memory'] = { policy: 'sliding_window', max_messages };
  }
  return members;
}

function withMembers<Payload extends AgentPayload | ModelCallPayload>(
  doc: DifyDocument,
  payload: Payload,
  prompt: Field<string>,
  rounds: number | undefined,
): Payload {
  const model = doc.config.get('model');
  const settings = shownSettings(payload.settings);
  const extras = extrasOf(model, membersOf(doc, rounds));
  return { ...payload, model: keptModel(payload.model, model), prompt, settings, extras };
}

function carriedNode(doc: DifyDocument, node: Node): Carried<Node> {
  const { payload } = node;
  if (payload.kind !== 'agent' && payload.kind !== 'model_call')
    return { payload: node, losses: [] };
  const app = { title: node.name, ref: node.ref };
  const { payload: prompt, losses } = carriedPrompt(app, payload.prompt);
  const kept = keptModel(payload.model, doc.config.get('model'));
  const all = [...losses, ...providerLosses(app, payload.model, kept)];
  if (payload.kind === 'model_call') {
    return {
      payload: { ...node, payload: withMembers(doc, payload, prompt, undefined) },
      losses: all,
    };
  }
  const { bound } = payload;
  const isBound = bound.state === 'resolved' && bound.value >= 1 && isWritable(bound.value);
  const made = withMembers(doc, payload, prompt, isBound ? bound.value : undefined);
  const carried: Node = {
    ...node,
    payload: { ...made, bound: unsaidBound(bound) },
  };
  return { payload: carried, losses: all };
}

/** What the app remembers is in the draft as the memory of its agent. */
function withMemory(loss: Loss): Loss {
  if (loss.kind !== 'memory') return loss;
  const detail = `${loss.detail} The draft keeps the last ${WINDOW_DEFAULT} turns of a run.`;
  const todo = 'Decide where conversations are stored between runs.';
  return { ref: loss.ref, kind: 'carried_as', severity: 'manual', detail, todo };
}

/** An app without a graph, with everything that the spec has a place for (importers 14). */
export function extendedConfigApp(doc: DifyDocument, losses: readonly Loss[]): Partial<Graph> {
  const plain = convertConfigApp(doc, losses);
  const made = (plain.nodes ?? []).map((node) => carriedNode(doc, node));
  return {
    ...plain,
    nodes: made.map(({ payload }) => payload),
    losses: [...(plain.losses ?? []).map(withMemory), ...made.flatMap((one) => one.losses)],
  };
}
