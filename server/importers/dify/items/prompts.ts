import type { Field, Loss } from '../../graph-ir.ts';
import { jsonOf } from '../../json-of.ts';
import { at, listOf, textOf, type Value } from '../../value.ts';
import type { DifyNode } from '../document.ts';
import { classPrompt } from '../extended/class-prompt.ts';
import type { DifyScene } from '../scene.ts';

/** The texts of a call of a model, with names of variables in them that are filled at run time. */
export interface FlowTexts {
  readonly system: string;
  readonly prompt: string;
  readonly losses: readonly Loss[];
}

interface Message {
  readonly role: string;
  readonly text: string;
}

const JINJA_NAME = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

function reference(selector: Value | undefined): string {
  const parts = listOf(selector).flatMap((part) => textOf(part) ?? []);
  return parts.length === 0 ? '' : `{{#${parts.join('.')}#}}`;
}

/** A text of Jinja that only names variables, in the words of the other texts; undefined for another one. */
function fromJinja(text: string, variables: Value | undefined): string | undefined {
  const known = new Map(
    listOf(variables).map((item) => [
      textOf(at(item, 'variable')) ?? '',
      reference(at(item, 'value_selector')),
    ]),
  );
  const out = text.replace(JINJA_NAME, (whole, name: string) => known.get(name) ?? whole);
  const rest = out.replaceAll(/\{\{#[^{}]*#\}\}/g, '');
  return /\{\{|\{%/.test(rest) ? undefined : out;
}

class Reading {
  readonly losses: Loss[] = [];
  private readonly node: DifyNode;

  constructor(node: DifyNode) {
    this.node = node;
  }

  message(item: Value): Message {
    const role = textOf(at(item, 'role')) ?? 'user';
    const isJinja = at(item, 'edition_type') === 'jinja2';
    const plain = textOf(at(item, 'text')) ?? '';
    if (!isJinja) return { role, text: plain };
    const jinja = textOf(at(item, 'jinja2_text')) ?? '';
    const made = fromJinja(jinja, at(this.node.data, 'prompt_config', 'jinja2_variables'));
    if (made === undefined) {
      const detail = `A message of "${this.node.title}" is a template of Jinja that does more than name values; the draft has it as it is.`;
      const todo = 'Put a template step before it, and name its output in the message.';
      this.losses.push({ ref: this.node.ref, kind: 'expression', detail, todo, about: 'prompt' });
    }
    return { role, text: made ?? jinja };
  }

  /** Messages of a conversation as one text. */
  joined(messages: readonly Message[]): string {
    const said = messages.filter(({ text }) => text.trim() !== '');
    if (said.every(({ role }) => role === 'user')) return said.map(({ text }) => text).join('\n\n');
    const detail = `"${this.node.title}" gives its model messages of both sides; in the draft they come as one.`;
    const todo = 'Check that the model takes them as an example.';
    this.losses.push({ ref: this.node.ref, kind: 'carried_as', severity: 'manual', detail, todo });
    return said.map(({ role, text }) => `${role}: ${text}`).join('\n\n');
  }
}

/** What a conversation adds to the messages of a call that remembers it. */
function question(node: DifyNode, scene: DifyScene): string {
  const memory = node.data.get('memory');
  if (scene.doc.mode !== 'advanced-chat' || !(memory instanceof Map)) return '';
  const written = textOf(memory.get('query_prompt_template')) ?? '';
  return written.trim() === '' ? '{{#sys.query#}}' : written;
}

function schemaText(node: DifyNode): string {
  if (node.data.get('structured_output_enabled') !== true) return '';
  const schema = at(node.data, 'structured_output', 'schema');
  if (schema === undefined) return '';
  const json = JSON.stringify(jsonOf(schema, (_, text) => text));
  return `Answer with one JSON object only, which fits this schema: ${json}`;
}

function llmTexts(node: DifyNode, scene: DifyScene): FlowTexts {
  const reading = new Reading(node);
  const written = node.data.get('prompt_template');
  const list = Array.isArray(written) ? written : written instanceof Map ? [written] : [];
  const messages = list.map((item) => reading.message(item));
  const asked = question(node, scene);
  const shape = schemaText(node);
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  const others = messages.filter(({ role }) => role !== 'system');
  const isAsked = others.some(({ text }) => text.includes(asked));
  if (asked !== '' && !isAsked) others.push({ role: 'user', text: asked });
  const prompt = reading.joined(others);
  const parts = [...system, shape].filter((text) => text.trim() !== '');
  const whole = parts.join('\n\n');
  const { losses } = reading;
  return prompt === ''
    ? { system: '', prompt: withContext(whole, node), losses }
    : { system: withContext(whole, node), prompt: withContext(prompt, node), losses };
}

/** The context of a call is what one selector names. */
function withContext(text: string, node: DifyNode): string {
  const context = node.data.get('context');
  const selector = reference(at(context, 'variable_selector'));
  const isOn = at(context, 'enabled') === true && selector !== '';
  return text.replaceAll('{{#context#}}', isOn ? selector : '');
}

function parameterText(value: Value | undefined): string {
  const inner = at(value, 'value');
  if (Array.isArray(inner)) return reference(inner);
  const text = textOf(inner) ?? '';
  return at(value, 'type') === 'variable' && text !== '' ? `{{#${text}#}}` : text;
}

function agentTexts(node: DifyNode): FlowTexts {
  const parameters = node.data.get('agent_parameters');
  return {
    system: parameterText(at(parameters, 'instruction')),
    prompt: parameterText(at(parameters, 'query')),
    losses: [],
  };
}

function extractorTexts(node: DifyNode): FlowTexts {
  const fields = listOf(node.data.get('parameters')).map((item) => {
    const [name, type, said] = ['name', 'type', 'description'].map((key) => textOf(at(item, key)));
    const options = listOf(at(item, 'options')).flatMap((one) => textOf(one) ?? []);
    const among = options.length === 0 ? '' : ` (one of: ${options.join(', ')})`;
    const needed = at(item, 'required') === true ? ', required' : '';
    return `- ${name ?? ''} (${type ?? 'string'}${needed}): ${said ?? ''}${among}`;
  });
  const lead =
    'Extract the following fields from the text. Answer with one JSON object only, with these names.';
  const own = textOf(node.data.get('instruction')) ?? '';
  const parts = [lead, fields.join('\n'), own].filter((part) => part.trim() !== '');
  return { system: parts.join('\n\n'), prompt: reference(node.data.get('query')), losses: [] };
}

function classifierTexts(node: DifyNode): FlowTexts {
  const prompt = reference(node.data.get('query_variable_selector'));
  return { system: classPrompt(node), prompt, losses: [] };
}

const READERS: ReadonlyMap<string, (node: DifyNode, scene: DifyScene) => FlowTexts> = new Map([
  ['llm', llmTexts],
  ['agent', agentTexts],
  ['parameter-extractor', extractorTexts],
  ['question-classifier', classifierTexts],
]);

const NO_TEXTS: FlowTexts = { system: '', prompt: '', losses: [] };

/** The texts of a node that asks a model. */
export function flowTexts(node: DifyNode, scene: DifyScene): FlowTexts {
  return READERS.get(node.type)?.(node, scene) ?? NO_TEXTS;
}

/** A text as the instructions of an agent. */
export function asPrompt(text: string): Field<string> {
  return text.trim() === ''
    ? { state: 'absent' }
    : { state: 'resolved', value: text, provenance: 'authored' };
}
