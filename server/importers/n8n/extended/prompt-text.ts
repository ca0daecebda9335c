import { splitTemplate } from '../../expressions/split-template.ts';
import type { Field, Loss } from '../../graph-ir.ts';
import { hasText, type Value } from '../../value.ts';
import type { N8nNode } from '../document.ts';
import { textField } from '../expressions.ts';
import type { Scene } from '../scene.ts';
import { givenBy } from './given.ts';

/** A prompt text after its expressions were taken out. */
interface CarriedText {
  readonly text: string;
  /** Expressions that only pass on the input of the step. */
  readonly passed: readonly string[];
  /** Expressions that compute something; each stands in the text as a marker. */
  readonly computed: readonly string[];
  /** False when nothing stands beside the expressions. */
  readonly hasText: boolean;
}

/** Splits a template and keeps what does not need the source to be computed (importers 14). */
function carryText(template: string, node: N8nNode, scene: Scene): CarriedText {
  const passed: string[] = [];
  const computed: string[] = [];
  let text = '';
  let hasText = false;
  for (const part of splitTemplate(template)) {
    if (part.kind === 'text') {
      text += part.text;
      hasText ||= part.text.trim() !== '';
      continue;
    }
    const given = givenBy(part.body, node, scene);
    if (given.kind === 'text') {
      text += given.text;
      hasText ||= given.text.trim() !== '';
    } else if (given.kind === 'passed') {
      passed.push(part.body);
      text += given.texts.join('');
      hasText ||= given.texts.some((piece) => piece.trim() !== '');
    } else {
      computed.push(part.body);
      text += `[${part.body}]`;
    }
  }
  return { text: text.trimEnd(), passed, computed, hasText };
}

/** A prompt made of several texts of a node, and what was lost on the way. */
export interface BuiltPrompt {
  readonly prompt: Field<string>;
  readonly losses: readonly Loss[];
  /** In a flow of items: what the step is asked for each item, as the source writes it. */
  readonly asked?: string;
}

/** One text of a prompt; `input` marks the text that is given anew for each run. */
export interface PromptPart {
  readonly value: Value | undefined;
  readonly input?: boolean;
}

interface Parts {
  readonly texts: string[];
  readonly passed: string[];
  readonly computed: string[];
  readonly inputs: string[];
  unmapped: boolean;
}

function addExpression(parts: Parts, carried: CarriedText, isInput: boolean): void {
  if (carried.text !== '' && (carried.hasText || !isInput)) parts.texts.push(carried.text);
  parts.passed.push(...carried.passed);
  (isInput ? parts.inputs : parts.computed).push(...carried.computed);
}

function addPart(parts: Parts, { value, input }: PromptPart, node: N8nNode, scene: Scene): void {
  const field = textField(value);
  if (field.state === 'resolved') parts.texts.push(field.value);
  if (field.state !== 'unresolved') return;
  if (field.cause === 'expression') {
    addExpression(parts, carryText(field.display, node, scene), input === true);
  } else parts.unmapped = true;
}

function expressionsIn(list: readonly string[]): string {
  return [...new Set(list)].map((body) => `{{ ${body} }}`).join(', ');
}

function promptLosses(node: N8nNode, parts: Parts): Loss[] {
  const losses: Loss[] = [];
  if (parts.computed.length > 0) {
    const detail = `The prompt of "${node.name}" computes ${expressionsIn(parts.computed)}; the draft has a marker in its place.`;
    losses.push({ ref: node.ref, kind: 'expression', detail, about: 'prompt' });
  }
  if (parts.inputs.length > 0) {
    const detail = `The source gives "${node.name}" ${expressionsIn(parts.inputs)} per run.`;
    losses.push({ ref: node.ref, kind: 'run_input', detail, about: 'prompt' });
  }
  if (parts.passed.length > 0) {
    const detail = `The prompt of "${node.name}" embeds its input (${expressionsIn(parts.passed)}); the draft gives the whole input to the step instead.`;
    const todo = 'Check that the prompt reads well with the input after it.';
    const loss = { ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
    losses.push({ ...loss, about: 'prompt' });
  }
  return losses;
}

function isTemplate(value: Value | undefined): boolean {
  return typeof value === 'string' && value.startsWith('=') && value.includes('{{');
}

/** A text as a part of a template: what is no template itself stays what it is. */
function inTemplate(text: string): string {
  if (isTemplate(text)) return text.slice(1);
  return text.replaceAll('{{', () => "{{ '{' + '{' }}");
}

function instructionsLoss(node: N8nNode): Loss {
  const detail = `The instructions of "${node.name}" are computed for each item; the step gets them before its input, not as its system prompt.`;
  const todo = 'Check that the model follows them, or write them without expressions.';
  const loss = { ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
  return { ...loss, about: 'prompt' };
}

/** The prompt of a step in a flow of items, which computes there what the source computes. */
function promptOfItems(
  node: N8nNode,
  scene: Scene,
  values: readonly PromptPart[],
): BuiltPrompt | undefined {
  const computed = values.filter((part) => isTemplate(part.value));
  if (scene.profile.flow === undefined || computed.length === 0) return undefined;
  const isAsked = ({ value, input }: PromptPart): boolean => isTemplate(value) || input === true;
  const asked = values.filter(isAsked).flatMap(({ value }) => (hasText(value) ? [value] : []));
  const rest = joined(
    node,
    scene,
    values.filter((part) => !isAsked(part)),
  );
  const isWhole = computed.every((part) => part.input === true);
  return {
    ...rest,
    losses: isWhole ? rest.losses : [...rest.losses, instructionsLoss(node)],
    asked: `=${asked.map(inTemplate).join('\n\n')}`,
  };
}

/**
 * Joins the texts of a prompt. An expression that only passes on the input is left out (the input
 * reaches the step anyway); any other one is marked in the text and must be written by hand.
 */
export function buildPrompt(
  node: N8nNode,
  scene: Scene,
  values: readonly PromptPart[],
): BuiltPrompt {
  return promptOfItems(node, scene, values) ?? joined(node, scene, values);
}

function joined(node: N8nNode, scene: Scene, values: readonly PromptPart[]): BuiltPrompt {
  const parts: Parts = { texts: [], passed: [], computed: [], inputs: [], unmapped: false };
  for (const part of values) addPart(parts, part, node, scene);
  const losses = promptLosses(node, parts);
  if (parts.texts.length > 0) {
    const value = parts.texts.join('\n\n');
    return { prompt: { state: 'resolved', value, provenance: 'authored' }, losses };
  }
  if (!parts.unmapped) return { prompt: { state: 'absent' }, losses };
  const display = 'a value that is no text';
  return {
    prompt: { state: 'unresolved', cause: 'unmapped', display, embedded: false },
    losses,
  };
}
