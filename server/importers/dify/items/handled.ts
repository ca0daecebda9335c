import { DIFY_STEP_TYPES, DIFY_TOOLS, difyTool } from '../../../items/dify-types.ts';
import { listOf, textOf } from '../../value.ts';
import type { DifyDocument, DifyNode } from '../document.ts';

const TEXT_STEPS: ReadonlySet<string> = new Set([
  'llm',
  'agent',
  'parameter-extractor',
  'question-classifier',
]);
const PLAIN_LANGUAGES: ReadonlySet<string> = new Set(['javascript']);

/** True for a node that asks a model. */
export function asksModel(node: DifyNode): boolean {
  return TEXT_STEPS.has(node.type);
}

function isOwnTool(node: DifyNode): boolean {
  const [provider = '', tool = ''] = ['provider_id', 'tool_name'].map((key) =>
    textOf(node.data.get(key)),
  );
  return DIFY_TOOLS.includes(difyTool(provider, tool));
}

/** What its handler cannot do for a node, in words; undefined when it can do all. */
export function leftOut(node: DifyNode): string | undefined {
  if (node.type === 'tool') return isOwnTool(node) ? undefined : 'a tool that is not here';
  if (node.type !== 'code') return undefined;
  const language = textOf(node.data.get('code_language')) ?? 'python3';
  return PLAIN_LANGUAGES.has(language) ? undefined : `code in ${language}, which does not run here`;
}

/** True for a node that a built-in handler runs here as it ran in the source. */
export function runsHere(node: DifyNode): boolean {
  return DIFY_STEP_TYPES.includes(node.type) && leftOut(node) === undefined;
}

/** True for an app that has a start with a handler: it becomes a flow of items. */
export function suitsItems(doc: DifyDocument): boolean {
  return doc.nodes.some((node) => !node.isNote && isEntry(node) && runsHere(node));
}

/** True for a node that begins a run. */
export function isEntry(node: DifyNode): boolean {
  return node.type === 'start' || node.type.startsWith('trigger-');
}

/** The names that the form of a start asks for. */
export function askedNames(node: DifyNode): string[] {
  return listOf(node.data.get('variables')).flatMap((item) => {
    const name = item instanceof Map ? textOf(item.get('variable')) : undefined;
    return name === undefined ? [] : [name];
  });
}
