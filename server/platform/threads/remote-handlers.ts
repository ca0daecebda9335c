import { refuseHugeAnswer } from '../../runtime/answer-size.ts';
import type { HandlerRegistry } from '../../runtime/handler-registry.ts';
import { EffectFailure } from '../../runtime/run-effects.ts';
import type { FromThread, HandlerError, ToThread } from './execution-protocol.ts';

/** Handlers registered in the main thread, called from the execution thread. */
export interface RemoteHandlers {
  readonly registry: HandlerRegistry;
  /** Takes the answer of a call. */
  answered(message: Extract<ToThread, { type: 'handler_answered' | 'handler_failed' }>): void;
}

function failureOf({ name, message, facts }: HandlerError): Error {
  if (facts !== null) return new EffectFailure(message, facts);
  const error = new Error(message);
  error.name = name;
  return error;
}

export function createRemoteHandlers(
  names: readonly string[],
  send: (message: FromThread) => void,
): RemoteHandlers {
  const known = new Set(names);
  const calls = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  return {
    registry: {
      names: () => names,
      find: (name) =>
        known.has(name)
          ? (args, { signal }) => {
              last += 1;
              const id = last;
              const call = Promise.withResolvers<unknown>();
              calls.set(id, call);
              signal.addEventListener('abort', () => send({ type: 'stop_handler', id }), {
                once: true,
              });
              send({ type: 'call_handler', id, name, args });
              return call.promise;
            }
          : undefined,
    },
    answered(message) {
      const call = calls.get(message.id);
      calls.delete(message.id);
      if (message.type === 'handler_answered') call?.resolve(message.value);
      else call?.reject(failureOf(message.error));
    },
  };
}

function errorOf(error: unknown): HandlerError {
  if (error instanceof EffectFailure) {
    return { name: error.name, message: error.message, facts: { ...error.facts } };
  }
  if (error instanceof Error) return { name: error.name, message: error.message, facts: null };
  return { name: 'Error', message: String(error), facts: null };
}

/** The main thread's side: calls a handler and sends its answer as plain data. */
export function createHandlerCalls(registry: HandlerRegistry, send: (message: ToThread) => void) {
  const running = new Map<number, AbortController>();
  return {
    async call(id: number, name: string, args: readonly unknown[]): Promise<void> {
      const controller = new AbortController();
      running.set(id, controller);
      try {
        const value = await registry.find(name)?.(args, { signal: controller.signal });
        refuseHugeAnswer(name, value);
        const plain: unknown =
          value === undefined ? null : JSON.parse(JSON.stringify(value) ?? 'null');
        send({ type: 'handler_answered', id, value: plain });
      } catch (error) {
        send({ type: 'handler_failed', id, error: errorOf(error) });
      } finally {
        running.delete(id);
      }
    },
    stop: (id: number): void => running.get(id)?.abort(),
    stopAll(): void {
      for (const controller of running.values()) controller.abort();
    },
  };
}
