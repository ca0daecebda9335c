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

/** A registry over a plain record of name → handler. */
export function handlerRegistry(
  handlers: Readonly<Record<string, RegisteredHandler>> = {},
): HandlerRegistry {
  const byName = new Map(Object.entries(handlers));
  return { find: (name) => byName.get(name), names: () => [...byName.keys()].sort() };
}
