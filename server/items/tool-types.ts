import { N8N_STEP_TYPES } from './n8n-types.ts';

/** Nodes that are nothing but tools, with the step that does their work (`server/handlers/own-tools.ts`). */
const OWN_TOOLS: Readonly<Record<string, string>> = {
  '@n8n/n8n-nodes-langchain.toolCode': 'n8n-nodes-base.code',
  '@n8n/n8n-nodes-langchain.toolHttpRequest': 'n8n-nodes-base.httpRequest',
  '@n8n/n8n-nodes-langchain.toolThink': 'n8n-nodes-base.noOp',
};

/**
 * The type whose handler carries out a node that is offered to a model as a tool; undefined when
 * none does. n8n offers each node of its own package under its name with `Tool` behind it.
 */
export function stepTypeOfTool(type: string): string | undefined {
  if (Object.hasOwn(OWN_TOOLS, type) && Object.hasOwn(N8N_STEP_TYPES, OWN_TOOLS[type] ?? ''))
    return OWN_TOOLS[type];
  const base = type.replace(/Tool$/, '');
  return base !== type && Object.hasOwn(N8N_STEP_TYPES, base) ? base : undefined;
}
