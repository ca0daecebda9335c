import { builtInName } from '../../../contract/flow.ts';
import type { Loss } from '../../graph-ir.ts';
import { textOf, type ValueMap } from '../../value.ts';
import { BASE, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import { calledBy, innerText } from '../extended/called.ts';
import { calledWorkflow } from '../roles.ts';
import type { NodeReader } from '../scene.ts';
import { calls, HANDLED } from './handled.ts';

const EXECUTE = `${BASE}executeWorkflow`;
/** Where the workflow to call comes from; the file says nothing of one in the source's own store. */
const ELSEWHERE: ReadonlySet<string> = new Set(['localFile', 'url']);

/** True for a step that calls another workflow. */
export function isCalling({ type }: N8nNode): boolean {
  return type === EXECUTE;
}

/** The settings of such a step, without the workflow that is written inside of it. */
export function withoutInner(node: N8nNode): ValueMap {
  if (!isCalling(node) || !node.parameters.has('workflowJson')) return node.parameters;
  const settings = new Map(node.parameters);
  settings.delete('workflowJson');
  return settings;
}

function isComputed(node: N8nNode): boolean {
  const { parameters } = node;
  const id = parameters.get('workflowId');
  const value = textOf(id instanceof Map ? id.get('value') : id) ?? '';
  const source = textOf(parameters.get('source')) ?? '';
  return !ELSEWHERE.has(source) && readText(value).computed;
}

function todoOf(node: N8nNode): string {
  const source = textOf(node.parameters.get('source')) ?? '';
  if (source === 'parameter')
    return 'Write the workflow as it is, or import it as a file of its own.';
  if (ELSEWHERE.has(source))
    return 'Import that workflow together with this one, and call it by its name.';
  return isComputed(node)
    ? 'Say which workflow is meant: an expression chooses it when it runs.'
    : 'Import that workflow together with this one: a call finds it by its id or name.';
}

function callLoss(node: N8nNode): Loss {
  const { words } = calledBy(node);
  const detail = `"${node.name}" runs ${words}, which the draft does not have; until then the step fails.`;
  return { ref: node.ref, kind: 'subworkflow', detail, todo: todoOf(node) };
}

/** A call of another workflow: a step that fails until that one is there. */
export const CALLING: NodeReader = {
  ...HANDLED,
  losses: (node) => [callLoss(node)],
  payload: (node) => {
    const inner = innerText(node);
    const payload = calls(builtInName(node.type));
    if (payload.kind !== 'component') return payload;
    const wanted = isComputed(node) ? [] : calledWorkflow(node);
    return { ...payload, calls: wanted, ...(inner === undefined ? {} : { inner }) };
  },
};
