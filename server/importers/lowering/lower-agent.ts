import type { JsonObject } from '../../kernel/json.ts';
import type { Card } from '../gaps/gap-stream.ts';
import type {
  AgentExtras,
  AgentPayload,
  Field,
  ModelCallPayload,
  ModelField,
  Node,
  Setting,
} from '../graph-ir.ts';
import type { Protector } from '../secrets.ts';
import type { Draft } from './draft.ts';

interface Writing {
  readonly node: Node;
  readonly cards: Card[];
  readonly protector: Protector;
  readonly agent: JsonObject;
  readonly extras: AgentExtras;
}

type CardFacts = Omit<Card, 'ref' | 'kind' | 'detail'>;

function say(writing: Writing, kind: string, detail: string, facts: CardFacts = {}): void {
  writing.cards.push({ ref: writing.node.ref, kind, detail, ...facts });
}

const CHOOSE_MODEL = 'Choose the provider and the model of the agent.';

function writeModel(writing: Writing, model: ModelField): void {
  if (model.state === 'none') return;
  const { identifier, provider } = model;
  const { name } = writing.node;
  if (identifier.state === 'absent' && provider !== null) {
    say(writing, 'model_unresolved', `The model of "${name}" (${provider}) is left to the source.`);
  } else if (identifier.state === 'unresolved' && identifier.cause === 'expression') {
    say(writing, 'model_unresolved', `The model of "${name}" is computed by the source.`);
  } else if (identifier.state !== 'resolved') {
    const detail = `The model of "${name}" is missing, or not written in a readable form.`;
    say(writing, 'proprietary_node', detail, { todo: CHOOSE_MODEL });
  } else if (model.providerUnresolved) {
    say(writing, 'model_unresolved', `The provider of the model of "${name}" is not a known one.`);
  } else if (provider === null) {
    const detail = `"${name}" names a model without its provider.`;
    say(writing, 'proprietary_node', detail, { todo: CHOOSE_MODEL });
  } else if (writing.protector.holds(identifier.value)) {
    say(writing, 'inline_secret', `The model of "${name}" contains a credential.`);
  } else {
    writing.agent['model'] = { provider, name: identifier.value, ...writing.extras.model };
  }
}

interface Told {
  readonly name: string;
  readonly display: string;
}

function listed(settings: readonly Setting[]): Told[] {
  return settings.filter((s) => s.slot !== 'instruction' && s.slot !== 'data_source');
}

/** Those that are plain numbers. */
function numbersOf(told: readonly Told[]): NonNullable<Card['settings']> {
  return told
    .filter(({ display }) => /^-?\d+(?:\.\d+)?$/.test(display))
    .map(({ name, display }) => ({ name, value: Number(display) }));
}

function writeSettings(
  writing: Writing,
  groups: readonly (readonly Setting[])[],
  bound: Field<number>,
  read: boolean,
): void {
  const { name } = writing.node;
  const told = groups.flatMap(listed);
  if (bound.state === 'resolved' && bound.provenance === 'authored') {
    told.push({ name: 'maxIterations', display: String(bound.value) });
  }
  if (bound.state === 'unresolved' && bound.cause !== 'unknown_default') {
    told.push({ name: 'maxIterations', display: bound.display });
  }
  if (told.length > 0) {
    const words = told.map((one) => `${one.name} = ${one.display}`).join(', ');
    const detail = `Settings of "${name}" that the draft does not hold: ${words}.`;
    const settings = numbersOf(told);
    say(writing, 'parameters_not_carried', detail, { provenance: 'authored', settings });
  }
  if (bound.state === 'resolved' && bound.provenance === 'source_default') {
    const detail = `"${name}" stops after ${bound.value} rounds in the source, by its default.`;
    say(writing, 'parameters_not_carried', detail, { provenance: 'source_default' });
  }
  if (bound.state === 'unresolved' && bound.cause === 'unknown_default' && read) {
    const detail = `"${name}" stops after a number of rounds that the file does not say.`;
    say(writing, 'parameters_not_carried', detail);
  }
}

function writePrompt(writing: Writing, prompt: Field<string>, read: boolean): void {
  const { name } = writing.node;
  if (prompt.state === 'resolved') {
    if (writing.protector.holds(prompt.value)) {
      const detail = `The system prompt of "${name}" contains a credential; it was left out.`;
      say(writing, 'inline_secret', detail);
    } else writing.agent['system_prompt'] = prompt.value;
    return;
  }
  if (prompt.state !== 'unresolved') return;
  if (prompt.cause === 'expression') {
    say(writing, 'expression', `The system prompt of "${name}" is computed: ${prompt.display}`);
  } else if (prompt.cause === 'unmapped') {
    const facts: CardFacts = { subject: 'system_prompt', provenance: 'authored' };
    const detail = `The system prompt of "${name}" is not a text: ${prompt.display}.`;
    say(writing, 'parameters_not_carried', detail, facts);
  } else if (read) {
    const detail = `"${name}" uses the source's own system prompt, which is not in the file.`;
    say(writing, 'parameters_not_carried', detail, { subject: 'system_prompt' });
  }
}

function writeRunInput(writing: Writing, input: Field<string>): void {
  if (input.state === 'absent') return;
  const shown = input.state === 'resolved' ? input.value : input.display;
  const detail = `In the source "${writing.node.name}" is given: ${shown}`;
  say(writing, 'run_input', detail);
}

function begin(draft: Draft, node: Node, extras: AgentExtras | undefined): Writing {
  const name = draft.claimName('agents', node.name, 'agent');
  const agent: JsonObject = { name };
  const { protector, cards } = draft;
  const writing = { node, cards, protector, agent, extras: extras ?? {} };
  if (protector.holds(node.name)) {
    say(writing, 'inline_secret', 'The name of this element contains a credential.');
  }
  draft.addAgent(name, agent);
  return writing;
}

function writeAgent(writing: Writing, payload: AgentPayload): void {
  const { node } = writing;
  const { read, display } = payload.execution;
  if (!read) {
    const instructions = payload.settings.filter((s) => s.slot === 'instruction');
    const extra = instructions.map((s) => ` ${s.name}: ${s.display}.`).join('');
    const detail = `"${node.name}" is an agent of another kind (${display}).${extra}`;
    say(writing, 'agent_execution_mode_not_carried', detail);
  }
  writeModel(writing, payload.model);
  writeSettings(writing, [payload.modelSettings, payload.settings], payload.bound, read);
  writePrompt(writing, payload.prompt, read);
  writeRunInput(writing, payload.runInput);
  Object.assign(writing.agent, payload.extras?.members);
}

function writeModelCall(writing: Writing, payload: ModelCallPayload): void {
  writeModel(writing, payload.model);
  writeSettings(writing, [payload.settings], { state: 'absent' }, true);
  writePrompt(writing, payload.prompt, true);
  writeRunInput(writing, payload.runInput);
  Object.assign(writing.agent, payload.extras?.members);
}

function addStep(draft: Draft, { node, agent }: Writing): void {
  const { name } = agent;
  if (typeof name === 'string') draft.addStep(node, 'agent', name);
}

/** Writes an agent and its step, and what is lost of it (importers 6.2). */
export function lowerAgent(draft: Draft, node: Node, payload: AgentPayload): void {
  const writing = begin(draft, node, payload.extras);
  addStep(draft, writing);
  writeAgent(writing, payload);
}

/** Writes a single model call as an agent without tools, and what is lost of it (importers 6.2). */
export function lowerModelCall(draft: Draft, node: Node, payload: ModelCallPayload): void {
  const writing = begin(draft, node, payload.extras);
  addStep(draft, writing);
  writeModelCall(writing, payload);
}

/** Writes an agent that stands behind a tool, without a step; answers its name. */
export function lowerBackingAgent(
  draft: Draft,
  node: Node,
  payload: AgentPayload | ModelCallPayload,
): string {
  const writing = begin(draft, node, payload.extras);
  if ('execution' in payload) writeAgent(writing, payload);
  else writeModelCall(writing, payload);
  const { name } = writing.agent;
  return typeof name === 'string' ? name : '';
}
