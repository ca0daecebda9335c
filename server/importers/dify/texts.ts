import type { Field } from '../graph-ir.ts';
import { describe } from '../n8n/expressions.ts';
import { at, listOf, textOf, type Value } from '../value.ts';

/** Says which parts of a text are computed by the source. */
export type VariableRule = (text: string) => { computed: boolean; whole: boolean };

const GRAPH_VARIABLE = /\{\{#[^{}]*#\}\}/;
const CONFIG_VARIABLE = /\{\{(?:[A-Za-z_]\w{0,29}|#(?:histories|query|context)#)\}\}/;

function ruleOf(pattern: RegExp): VariableRule {
  const whole = new RegExp(`^(?:${pattern.source})$`);
  return (text) => ({ computed: pattern.test(text), whole: whole.test(text.trim()) });
}

/** `{{#node.field#}}` in graph apps (importers 5.4). */
export const graphRule: VariableRule = ruleOf(GRAPH_VARIABLE);
/** `{{name}}` in apps without a graph (importers 5.4). */
export const configRule: VariableRule = ruleOf(CONFIG_VARIABLE);

const jinjaRule: VariableRule = (text) => ({
  computed: text.includes('{{') || text.includes('{%'),
  whole: false,
});

/** A text by a rule: blank is absent, with variables it is an expression. */
function textBy(rule: VariableRule, text: string): Field<string> {
  if (text.trim() === '') return { state: 'absent' };
  const { computed, whole } = rule(text);
  if (!computed) return { state: 'resolved', value: text, provenance: 'authored' };
  return { state: 'unresolved', cause: 'expression', display: text, embedded: !whole };
}

/** Any value as a text field; another type is unmapped. */
export function fieldBy(rule: VariableRule, value: Value | undefined): Field<string> {
  if (value === undefined || value === null) return { state: 'absent' };
  if (typeof value === 'string') return textBy(rule, value);
  return { state: 'unresolved', cause: 'unmapped', display: describe(value), embedded: false };
}

/** A variable selector (`[node, field]`) as an expression; empty is absent. */
export function selectorField(value: Value | undefined): Field<string> {
  const parts = listOf(value).map((part) => textOf(part) ?? '');
  if (parts.length === 0) return { state: 'absent' };
  const display = `{{#${parts.join('.')}#}}`;
  return { state: 'unresolved', cause: 'expression', display, embedded: false };
}

/** The texts of a prompt by role. */
export interface PromptTexts {
  readonly prompt: Field<string>;
  readonly runInput: Field<string>;
  /** Indexes and texts of messages of other roles. */
  readonly others: readonly (readonly [number, Value])[];
}

interface Message {
  readonly role: Value | undefined;
  readonly text: Value | undefined;
  readonly rule: VariableRule;
}

function readMessage(item: Value, rule: VariableRule): Message {
  const jinja = at(item, 'edition_type') === 'jinja2';
  const text = at(item, jinja ? 'jinja2_text' : 'text');
  return { role: at(item, 'role'), text, rule: jinja ? jinjaRule : rule };
}

function join(messages: readonly Message[]): Field<string> {
  if (messages.some((m) => typeof m.text !== 'string')) {
    const display = 'a message that is no text';
    return { state: 'unresolved', cause: 'unmapped', display, embedded: false };
  }
  const text = messages.map((m) => textOf(m.text) ?? '').join('\n\n');
  const computed = messages.some((m) => m.rule(textOf(m.text) ?? '').computed);
  if (text.trim() === '') return { state: 'absent' };
  if (!computed) return { state: 'resolved', value: text, provenance: 'authored' };
  const [only] = messages;
  const whole = messages.length === 1 && only?.rule(text).whole === true;
  return { state: 'unresolved', cause: 'expression', display: text, embedded: !whole };
}

/** Reads a prompt template: a list of messages, or one mapping for completion (importers 5.4). */
export function readPrompt(value: Value | undefined, rule: VariableRule): PromptTexts {
  const absent: Field<string> = { state: 'absent' };
  if (!Array.isArray(value)) {
    const prompt = value instanceof Map ? join([readMessage(value, rule)]) : absent;
    return { prompt, runInput: absent, others: [] };
  }
  const messages = value.map((item) => readMessage(item, rule));
  const system = messages.filter((m) => m.role === 'system');
  const user = messages.filter((m) => m.role === 'user' && typeof m.text === 'string');
  const others: [number, Value][] = [];
  for (const [index, message] of messages.entries()) {
    const known = message.role === 'system' || message.role === 'user';
    if (!known) others.push([index, message.text ?? null]);
  }
  return {
    prompt: system.length === 0 ? absent : join(system),
    runInput: user.length === 0 ? absent : join(user),
    others,
  };
}
