import { readJson } from '../../read-json.ts';
import { SourceRefused } from '../../source-refused.ts';
import { at, listOf, textOf, type Value } from '../../value.ts';
import type { N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import { workflowReference } from '../roles.ts';

const MAX_NAMES = 12;

function parsed(text: string): Value | undefined {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SourceRefused) return undefined;
    throw error;
  }
}

/** The text of the workflow that an element holds; undefined for one that holds none, or computes it. */
export function innerText(node: N8nNode): string | undefined {
  const value = node.parameters.get('workflowJson');
  if (node.parameters.get('source') !== 'parameter' || typeof value !== 'string') return undefined;
  const isExpression = value.startsWith('=');
  if (isExpression && value.includes('{{')) return undefined;
  const text = isExpression ? value.slice(1) : value;
  return parsed(text) === undefined ? undefined : text;
}

/** The workflow that an element holds as a text; undefined when it calls one of somewhere else. */
function innerWorkflow(node: N8nNode): Value | undefined {
  if (node.parameters.get('source') !== 'parameter') return undefined;
  const value = node.parameters.get('workflowJson');
  return typeof value === 'string' ? (parsed(readText(value).text) ?? '') : (value ?? '');
}

function innerWords(workflow: Value): string {
  const nodes = listOf(at(workflow, 'nodes'));
  if (nodes.length === 0) return 'the workflow that is written inside of it';
  const names = nodes.slice(0, MAX_NAMES).map((item) => `"${textOf(at(item, 'name')) ?? ''}"`);
  const more = nodes.length > MAX_NAMES ? ' …' : '';
  return `the workflow that is written inside of it (${nodes.length} elements: ${names.join(', ')}${more})`;
}

/** What an element calls, for the author; `isInside`: the file holds it, the draft does not. */
export interface CalledWorkflow {
  readonly words: string;
  readonly isInside: boolean;
}

/** The workflow that a call or a tool runs. */
export function calledBy(node: N8nNode): CalledWorkflow {
  const inner = innerWorkflow(node);
  if (inner !== undefined) return { words: innerWords(inner), isInside: true };
  const path = textOf(node.parameters.get('workflowPath'));
  const url = textOf(node.parameters.get('workflowUrl'));
  const source = node.parameters.get('source');
  if (source === 'localFile' && path !== undefined) {
    return { words: `the workflow of the file "${path}"`, isInside: false };
  }
  if (source === 'url' && url !== undefined) {
    return { words: `the workflow at "${url}"`, isInside: false };
  }
  const reference = workflowReference(node);
  const words = reference === '' ? 'another workflow' : `the workflow "${reference}"`;
  return { words, isInside: false };
}

/** What to do about a call whose workflow stands inside of the element. */
export const SAVE_INNER =
  'Save the inner workflow as a file of its own and import it in the place of the empty one.';
