import { N8N_STEP_TYPES } from './n8n-types.ts';

/**
 * The type whose handler carries out a node that is offered to a model as a tool; undefined when
 * none does. n8n offers each node of its own package under its name with `Tool` behind it.
 */
export function stepTypeOfTool(type: string): string | undefined {
  const base = type.replace(/Tool$/, '');
  return base !== type && Object.hasOwn(N8N_STEP_TYPES, base) ? base : undefined;
}
