import type { Output, OutputRole } from '../graph-ir.ts';
import { at, listOf, type Value } from '../value.ts';
import { BASE, type N8nNode } from './document.ts';
import { readText } from './expressions.ts';

const MAX_OUTPUTS = 1024;
const DEFAULT_SWITCH_OUTPUTS = 4;

/** The outputs of a switch, or why they cannot be told. */
export type SwitchOutputs =
  | { readonly ok: true; readonly outputs: Output[] }
  | { readonly ok: false; readonly field: string; readonly message: string };

function output(position: number, role: OutputRole): Output {
  return { position, role };
}

function cases(count: number): Output[] {
  return Array.from({ length: count }, (_, position) => output(position, 'case'));
}

function unreadable(field: string, message: string): SwitchOutputs {
  return { ok: false, field, message };
}

/** The text of a parameter; undefined when it is computed or no text. */
function literal(value: Value | undefined, fallback: string): string | undefined {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'string') return undefined;
  const reading = readText(value);
  return reading.computed ? undefined : reading.text;
}

function counted(node: N8nNode, field: string): SwitchOutputs {
  const value = node.parameters.get(field) ?? DEFAULT_SWITCH_OUTPUTS;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    return unreadable(field, 'The number of outputs is not a positive whole number.');
  }
  if (value > MAX_OUTPUTS) return unreadable(field, 'A switch has more than 1024 outputs.');
  return { ok: true, outputs: cases(value) };
}

function withFallback(node: N8nNode, count: number): SwitchOutputs {
  const options = node.parameters.get('options');
  if (options !== undefined && options !== null && !(options instanceof Map)) {
    return unreadable('options', 'The options of a switch are not an object.');
  }
  const raw = at(options ?? undefined, 'fallbackOutput');
  const fallback = typeof raw === 'string' ? literal(raw, 'none') : '';
  if (fallback === undefined) {
    return unreadable('options.fallbackOutput', 'The fallback output of a switch is computed.');
  }
  const outputs = cases(count);
  if (fallback === 'extra') outputs.push(output(count, 'else'));
  return { ok: true, outputs };
}

function ruled(node: N8nNode): SwitchOutputs {
  const rules = node.parameters.get('rules');
  if (rules !== undefined && rules !== null && !(rules instanceof Map)) {
    return unreadable('rules', 'The rules of a switch are not an object.');
  }
  const key = node.version < 3 ? 'rules' : 'values';
  const list = at(rules ?? undefined, key);
  if (list !== undefined && list !== null && !Array.isArray(list)) {
    return unreadable(`rules.${key}`, 'The rules of a switch are not a list.');
  }
  const items = listOf(list);
  if (items.some((rule) => !(rule instanceof Map))) {
    return unreadable(`rules.${key}`, 'A rule of a switch is not an object.');
  }
  if (items.length > MAX_OUTPUTS) {
    return unreadable(`rules.${key}`, 'A switch has more than 1024 outputs.');
  }
  if (node.version < 3) return { ok: true, outputs: cases(items.length) };
  return withFallback(node, items.length);
}

/** Outputs of a switch by version and mode (importers 4.6). */
export function switchOutputs(node: N8nNode): SwitchOutputs {
  if (node.version < 2) return { ok: true, outputs: cases(DEFAULT_SWITCH_OUTPUTS) };
  const mode = literal(node.parameters.get('mode'), 'rules');
  if (mode === 'rules') return ruled(node);
  if (mode === 'expression') {
    return counted(node, node.version < 3 ? 'outputsAmount' : 'numberOutputs');
  }
  return unreadable('mode', 'The mode of a switch is computed or unknown.');
}

/** True when the switch picks by rules. */
export function isRulesMode(node: N8nNode): boolean {
  return literal(node.parameters.get('mode'), 'rules') === 'rules';
}

/** Outputs of a known node type other than a switch. */
export function fixedOutputs(node: N8nNode): Output[] {
  if (node.type === `${BASE}if`) return [output(0, 'case'), output(1, 'else')];
  if (node.type === `${BASE}splitInBatches` && node.version >= 3) {
    return [output(0, 'complete'), output(1, 'iterate')];
  }
  if (node.type === `${BASE}splitInBatches` && node.version >= 2) {
    return [output(0, 'iterate'), output(1, 'complete')];
  }
  return [output(0, 'default')];
}

/** Appends the error output where the node has one that is written (importers 4.6). */
export function withErrorOutput(
  node: N8nNode,
  regular: readonly Output[],
  writtenPorts: number,
): readonly Output[] {
  if (node.onError !== 'continueErrorOutput' || writtenPorts <= regular.length) return regular;
  return [...regular, output(regular.length, 'error')];
}
