import type { Condition } from '../../../spec/schema/spec-types.ts';
import type { Loss } from '../../graph-ir.ts';
import { at, listOf, textOf, type Value } from '../../value.ts';
import { displayBranch, ifElseOutputs } from '../branches.ts';
import type { DifyNode } from '../document.ts';
import type { DifyScene, HandledOutput } from '../scene.ts';

const FAILED = 'fail-branch';

/** True when the selector names the whole text of the one step before the branch. */
function isWholeOutput(value: Value | undefined, node: DifyNode, scene: DifyScene): boolean {
  const [source, field, ...more] = listOf(value);
  if (field !== 'text' || more.length > 0) return false;
  const before = scene.doc.edges.filter((edge) => edge.target === node.id);
  const step = scene.doc.nodes.find((other) => other.id === source);
  const isText = step?.type === 'llm' || step?.type === 'agent';
  return (
    isText &&
    before.length > 0 &&
    before.every((edge) => edge.source === source && edge.handle !== FAILED)
  );
}

function compare(item: Value, node: DifyNode, scene: DifyScene): Condition | undefined {
  const value = textOf(at(item, 'value'));
  if (value === undefined || value === '' || value.includes('{{')) return undefined;
  if (!isWholeOutput(at(item, 'variable_selector'), node, scene)) return undefined;
  const equals: Condition = { type: 'output_equals', value, case_sensitive: true };
  const contains: Condition = { type: 'output_contains', value, case_sensitive: true };
  switch (at(item, 'comparison_operator')) {
    case 'is':
    case '=':
      return equals;
    case 'is not':
    case '≠':
      return { type: 'not', condition: equals };
    case 'contains':
      return contains;
    case 'not contains':
      return { type: 'not', condition: contains };
    default:
      return undefined;
  }
}

function caseCondition(item: Value, node: DifyNode, scene: DifyScene): Condition | undefined {
  const list = listOf(at(item, 'conditions')).map((part) => compare(part, node, scene));
  const conditions = list.filter((part) => part !== undefined);
  const [only] = conditions;
  if (only === undefined || conditions.length < list.length) return undefined;
  if (conditions.length === 1) return only;
  return { type: at(item, 'logical_operator') === 'or' ? 'any_of' : 'all_of', conditions };
}

/** The conditions of an `if-else` in the words of the spec; undefined unless all can be told. */
export function translateIfElse(node: DifyNode, scene: DifyScene): Condition[] | undefined {
  const cases = listOf(node.data.get('cases'));
  const items = cases.length > 0 ? cases : [node.data];
  const list = items.map((item) => caseCondition(item, node, scene));
  const conditions = list.filter((part) => part !== undefined);
  return conditions.length === list.length ? conditions : undefined;
}

/** Outputs of an `if-else`, with conditions where they can be told (importers 14). */
export function extendedIfElse(node: DifyNode, scene: DifyScene): HandledOutput[] {
  const outputs = ifElseOutputs(node);
  const conditions = translateIfElse(node, scene);
  if (conditions === undefined) return outputs;
  const [only, ...more] = conditions;
  const any: Condition =
    only !== undefined && more.length === 0 ? only : { type: 'any_of', conditions };
  return outputs.map((output) => {
    const condition: Condition | undefined =
      output.role === 'else' ? { type: 'not', condition: any } : conditions[output.position];
    return condition === undefined ? output : { ...output, condition };
  });
}

/** Says that the conditions of a branch are on the edges of the draft. */
export function translatedLosses(node: DifyNode, scene: DifyScene): Loss[] {
  if (translateIfElse(node, scene) === undefined) return [];
  const detail = `"${node.title}" decides: ${displayBranch(node)}. The edges of the draft have these conditions.`;
  return [{ ref: node.ref, kind: 'condition_translated', detail }];
}

/** The classes of a classifier by name, in the order of its outputs. */
export function classNames(node: DifyNode): string[] {
  return listOf(node.data.get('classes')).map((item) => textOf(at(item, 'name')) ?? '');
}
