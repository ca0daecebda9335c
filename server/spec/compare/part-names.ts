import type { Json } from '../../kernel/json.ts';
import type { BlockName } from '../schema/field-help.ts';
import { membersOf } from './workflow-parts.ts';

const WORDS: Readonly<Partial<Record<BlockName, string>>> = { mcp_server: 'MCP server' };

/** What parts are called that a spec has one of, by the key of the spec. */
export const SINGLE_PARTS: Readonly<Record<string, string>> = {
  agent: 'the root agent',
  workflow: 'the workflow',
};

/** What a named part is called: `agent "writer"`. */
export function namedPart(block: BlockName, name: string): string {
  return `${WORDS[block] ?? block} "${name}"`;
}

/** What a guardrail is called. */
export function guardrailPart(stage: string, id: string, holder: string): string {
  return `${stage} guardrail "${id}" of ${holder}`;
}

/** What a step or an edge is called; `workflow` is what its workflow is called. */
export function workflowPartName(
  block: 'step' | 'edge',
  name: string,
  value: Json | undefined,
  workflow: string,
): string {
  const isPerson = membersOf(value)['kind'] === 'human';
  const whole = workflow === SINGLE_PARTS['workflow'] ? '' : ` of ${workflow}`;
  return `${isPerson ? 'human step' : block} "${name}"${whole}`;
}
