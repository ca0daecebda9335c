import { builtInName } from '../contract/flow.ts';
import { DIFY_STEP_TYPES, difyType } from '../items/dify-types.ts';
import { N8N_STEP_TYPES } from '../items/n8n-types.ts';

/** What a handler is called with beside its arguments. */
export interface HandlerCall {
  readonly signal: AbortSignal;
}

/**
 * Project or embedding code behind `implementation: module.path.name`. Function steps get the input
 * text, tools the argument object, retrievers (text, top_k); the result is turned to text.
 */
export type RegisteredHandler = (args: readonly unknown[], call: HandlerCall) => unknown;

/** Handlers registered in this process by full name (decisions 8). */
export interface HandlerRegistry {
  find(name: string): RegisteredHandler | undefined;
  names(): readonly string[];
}

function outsideOfFlow(name: string): RegisteredHandler {
  return () => {
    throw new TypeError(
      `${name} takes items: it runs as a step of an item flow, whose settings stand in metadata.flow.`,
    );
  };
}

const BUILT_IN = new Map(
  [...Object.keys(N8N_STEP_TYPES), ...DIFY_STEP_TYPES.map(difyType)].map((type) => {
    const name = builtInName(type);
    return [name, outsideOfFlow(name)];
  }),
);

/** Whether a name of the registry is that of a built-in step (decisions 48). */
export function isBuiltIn(name: string): boolean {
  return BUILT_IN.has(name);
}

/** A registry over a plain record of name → handler, and of the built-in steps. */
export function handlerRegistry(
  handlers: Readonly<Record<string, RegisteredHandler>> = {},
): HandlerRegistry {
  const byName = new Map([...BUILT_IN, ...Object.entries(handlers)]);
  return { find: (name) => byName.get(name), names: () => [...byName.keys()].sort() };
}
