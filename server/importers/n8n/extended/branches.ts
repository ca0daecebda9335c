import type { Condition } from '../../../spec/schema/spec-types.ts';
import type { Loss, NodePayload, Output } from '../../graph-ir.ts';
import { at, hasText, listOf, textOf, type Value } from '../../value.ts';
import { displayBranch } from '../conditions.ts';
import { BASE, LANGCHAIN, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import { fixedOutputs, switchOutputs } from '../outputs.ts';
import type { NodeReader, Scene } from '../scene.ts';
import { translateBranch } from './branch-conditions.ts';
import { functionDefinition } from './steps.ts';

const CLASSIFIER = `${LANGCHAIN}textClassifier`;
const SENTIMENT = `${LANGCHAIN}sentimentAnalysis`;
const SENTIMENTS = ['Positive', 'Neutral', 'Negative'];
const MOST_OUTPUTS = 1024;

/** The outputs that the connections of an element use, when its parameters do not tell them. */
function wiredOutputs(node: N8nNode, scene: Scene): Output[] {
  const written = scene.doc.mainPorts.get(node.id) ?? 1;
  const ports = written - (node.onError === 'continueErrorOutput' ? 1 : 0);
  const length = Math.min(MOST_OUTPUTS, Math.max(1, ports));
  return Array.from({ length }, (_, position) => ({ position, role: 'case' }));
}

/** Why the outputs of a switch are not told by its parameters; undefined when they are. */
function untold(node: N8nNode): string | undefined {
  if (node.type === `${BASE}if`) return undefined;
  const read = switchOutputs(node);
  if (!read.ok) return read.message;
  const hasCase = read.outputs.some((output) => output.role === 'case');
  return hasCase ? undefined : 'The file holds no rules of this switch.';
}

/** The outputs of `if` and `switch`; those that are wired where the settings do not tell them. */
export function regularOutputs(node: N8nNode, scene: Scene): Output[] {
  if (node.type === `${BASE}if`) return fixedOutputs(node);
  const read = switchOutputs(node);
  return read.ok && untold(node) === undefined ? read.outputs : wiredOutputs(node, scene);
}

/** An output that no rule and no fallback leads to is never taken. */
function withConditions(outputs: readonly Output[], cases: readonly Condition[]): Output[] {
  return outputs.map((output) => ({
    ...output,
    condition: cases[output.position] ?? { type: 'never' },
  }));
}

function branchLosses(node: N8nNode, scene: Scene): Loss[] {
  const losses: Loss[] = [];
  if (translateBranch(node, scene) !== undefined) {
    const detail = `"${node.name}" decides: ${displayBranch(node)}. The edges of the draft have these conditions.`;
    losses.push({ ref: node.ref, kind: 'condition_translated', detail });
  }
  const reason = untold(node);
  if (reason !== undefined) {
    const detail = `${reason} The outputs of "${node.name}" are those that are wired.`;
    losses.push({ ref: node.ref, kind: 'source_repaired', detail });
  }
  return losses;
}

/** `if` and `switch`: conditions on edges where they can be told. */
export const BRANCH: NodeReader = {
  losses: branchLosses,
  payload: (node, scene): NodePayload => ({
    kind: 'branch',
    display: displayBranch(node),
    translated: translateBranch(node, scene) !== undefined,
    gate: functionDefinition(node),
  }),
  outputs: (node, scene) => {
    const outputs = regularOutputs(node, scene);
    const cases = translateBranch(node, scene);
    return cases === undefined ? outputs : withConditions(outputs, cases);
  },
  closedOutputs: true,
};

function contains(value: string): Condition {
  return { type: 'output_contains', value, case_sensitive: false };
}

function sentiments(node: N8nNode): string[] {
  const value = at(node.parameters, 'options', 'categories');
  if (!hasText(value)) return SENTIMENTS;
  const reading = readText(value);
  if (reading.computed) return [];
  const names = reading.text.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

function category(item: Value): string {
  const reading = readText(textOf(at(item, 'category')) ?? '');
  return reading.computed ? '' : reading.text.trim();
}

/**
 * The words that a classifying agent may answer with, in the order of its outputs; one that the
 * source computes is empty, and there are none when it computes all of them.
 */
export function classesOf(node: N8nNode): string[] | undefined {
  if (node.type === SENTIMENT) return sentiments(node);
  if (node.type !== CLASSIFIER) return undefined;
  const names = listOf(at(node.parameters, 'categories', 'categories')).map(category);
  const fallback = at(node.parameters, 'options', 'fallback') === 'other' ? ['other'] : [];
  return names.length === 0 ? [] : [...names, ...fallback];
}

function classifierLosses(node: N8nNode): Loss[] {
  const { ref, name } = node;
  const names = classesOf(node) ?? [];
  const known = names.filter((word) => word !== '');
  const losses: Loss[] = [];
  if (known.length > 0) {
    const words = known.map((word) => `"${word}"`).join(', ');
    const several =
      at(node.parameters, 'options', 'multiClass') === true
        ? ' In the source a text may belong to several; a graph follows one edge at a time.'
        : '';
    const detail = `"${name}" sorts into ${words}; in the draft an agent answers with the class and the edges look for it.${several}`;
    const todo = 'Check the wording of the prompt and of the classes.';
    losses.push({ ref, kind: 'carried_as', severity: 'manual', detail, todo });
  }
  if (known.length < names.length || names.length === 0) {
    const which = known.length === 0 ? 'classes' : 'more classes';
    const detail = `"${name}" sorts into ${which} that the file does not tell; their edges have no conditions yet.`;
    const todo = 'Write these classes into the prompt, and the conditions of their edges.';
    losses.push({ ref, kind: 'expression', detail, todo });
  }
  return losses;
}

/** Makes an agent that names a class choose between its outputs by that name (importers 14). */
export function asClassifier(reader: NodeReader): NodeReader {
  return {
    ...reader,
    losses: (node, scene) => [
      ...classifierLosses(node),
      ...(reader.losses?.(node, scene) ?? []).slice(1),
    ],
    outputs: (node, scene) => {
      const names = classesOf(node) ?? [];
      if (names.length === 0) return wiredOutputs(node, scene);
      return names.map((name, position) =>
        name === ''
          ? { position, role: 'case' }
          : { position, role: 'case', condition: contains(name) },
      );
    },
    closedOutputs: true,
  };
}
