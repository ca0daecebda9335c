import type { Condition } from '../../../spec/schema/spec-types.ts';
import type { Loss, NodePayload, Output } from '../../graph-ir.ts';
import { at, listOf, textOf } from '../../value.ts';
import { displayBranch } from '../conditions.ts';
import { BASE, LANGCHAIN, type N8nNode } from '../document.ts';
import { fixedOutputs, switchOutputs } from '../outputs.ts';
import type { NodeReader, Scene } from '../scene.ts';
import { translateBranch } from './branch-conditions.ts';
import { functionDefinition } from './steps.ts';

const CLASSIFIER = `${LANGCHAIN}textClassifier`;
const SENTIMENT = `${LANGCHAIN}sentimentAnalysis`;
const SENTIMENTS = ['Positive', 'Neutral', 'Negative'];

/** Outputs of a switch; when the file does not declare them, those that its connections use. */
function regularOutputs(node: N8nNode, scene: Scene): Output[] {
  if (node.type === `${BASE}if`) return fixedOutputs(node);
  const read = switchOutputs(node);
  if (read.ok) return read.outputs;
  const written = scene.doc.mainPorts.get(node.id) ?? 1;
  return Array.from({ length: Math.max(1, written) }, (_, position) => ({
    position,
    role: 'case',
  }));
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
  const read = node.type === `${BASE}switch` ? switchOutputs(node) : undefined;
  if (read?.ok === false) {
    const detail = `${read.message} The outputs of "${node.name}" are those that are wired.`;
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

/** The words that a classifying agent may answer with, in the order of its outputs. */
export function classesOf(node: N8nNode): string[] | undefined {
  if (node.type === SENTIMENT) return SENTIMENTS;
  if (node.type !== CLASSIFIER) return undefined;
  const list = listOf(at(node.parameters, 'categories', 'categories'));
  const names = list.map((item) => textOf(at(item, 'category')) ?? '');
  const fallback = at(node.parameters, 'options', 'fallback') === 'other' ? ['other'] : [];
  return [...names, ...fallback];
}

/** Makes an agent that names a class choose between its outputs by that name (importers 14). */
export function asClassifier(reader: NodeReader): NodeReader {
  return {
    ...reader,
    losses: (node, scene) => {
      const words = (classesOf(node) ?? []).map((name) => `"${name}"`).join(', ');
      const detail = `"${node.name}" sorts into ${words}; in the draft an agent answers with the class and the edges look for it.`;
      const todo = 'Check the wording of the prompt and of the classes.';
      const carried: Loss = { ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo };
      return [carried, ...(reader.losses?.(node, scene) ?? []).slice(1)];
    },
    outputs: (node) =>
      (classesOf(node) ?? []).map((name, position) =>
        name === ''
          ? { position, role: 'case' }
          : { position, role: 'case', condition: contains(name) },
      ),
    closedOutputs: true,
  };
}
