import type { CallModel } from '../../engine/effect.ts';
import type { EffectResult, ModelAnswer } from '../../engine/event.ts';
import { timerMs } from '../../kernel/timer-limit.ts';
import { EffectFailure } from '../run-effects.ts';
import { type Secrets, secretAdvice } from '../secrets.ts';
import { toCallOptions } from './call-options.ts';
import { findEndpoint, isEndpoint, type ModelEndpoint } from './endpoint.ts';
import { openLanguageModel } from './language-model.ts';
import { type CalledModel, modelFailure } from './model-failure.ts';
import { brokenConnection, createModelFetch } from './model-fetch.ts';
import { readGenerated, readStream } from './read-answer.ts';
import { toolNames } from './tool-names.ts';

/** Settings of calls to model providers. */
export interface ModelCallSettings {
  /** Keys and operator's addresses are found in them by name. */
  readonly secrets: Secrets;
  /** Hears what a model says as it comes. */
  readonly listen?: (effect: CallModel) => ModelListener;
}

/** Takes the parts of one streamed answer. */
interface ModelListener {
  add(text: string): void;
  /** Nothing more comes, whether the answer is complete or not. */
  end(): void;
}

function endpointOf(effect: CallModel, secrets: Secrets): ModelEndpoint {
  const { provider } = effect.binding;
  const found = findEndpoint(provider, effect.extra, secrets);
  if (isEndpoint(found)) {
    if (found.secret.kind !== 'refused') return found;
    throw modelFailure('model_settings_invalid', secretAdvice(found.keyName, found.secret));
  }
  throw modelFailure(
    'model_settings_invalid',
    found.kind === 'no_address'
      ? `model provider '${provider}' needs model.extra.base_url.`
      : `${found.source} of model provider '${provider}' must be an http or https address without credentials, query or fragment.`,
  );
}

function modelName(effect: CallModel): string {
  const name = effect.binding.model ?? '';
  if (name !== '') return name;
  throw modelFailure('model_settings_invalid', 'model.name is empty.');
}

/** An answer that arrived whole although a stream was asked for. */
class WholeAnswer extends Error {
  override readonly name = 'WholeAnswer';
  readonly response: Response;

  constructor(response: Response) {
    super('the answer is no stream');
    this.response = response;
  }
}

/** Fetches once; an answer in JSON leaves by `WholeAnswer`, because the stream's reader cannot read it. */
function streaming(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (/\bjson\b/i.test(type) && !/event-stream/i.test(type)) throw new WholeAnswer(response);
    return response;
  };
}

async function ask(
  effect: CallModel,
  endpoint: ModelEndpoint,
  called: CalledModel,
  signal: AbortSignal,
  listener: ModelListener | undefined,
): Promise<ModelAnswer> {
  const names = toolNames(effect.tools.map(({ name }) => name));
  const options = toCallOptions(effect, names, signal);
  const send = createModelFetch(called, signal);
  if (effect.extra['stream'] !== false) {
    try {
      const model = await openLanguageModel(endpoint, called.model, streaming(send));
      const { stream } = await model.doStream(options);
      return await readStream(stream, called, names, (text) => listener?.add(text));
    } catch (error) {
      if (!(error instanceof WholeAnswer)) throw error;
      const { response } = error;
      const model = await openLanguageModel(endpoint, called.model, async () => response);
      return readGenerated(await model.doGenerate(options), called, names);
    }
  }
  const model = await openLanguageModel(endpoint, called.model, send);
  return readGenerated(await model.doGenerate(options), called, names);
}

/** The failure behind whatever a client threw; its own texts may quote the answer and are dropped. */
function failureOf(error: unknown, called: CalledModel): EffectFailure {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof EffectFailure) return current;
    if (current instanceof TypeError && /terminated|fetch failed/.test(current.message)) {
      return brokenConnection(called, current);
    }
    current = current.cause;
  }
  return modelFailure(
    'model_answer_malformed',
    `the answer of provider '${called.provider}' at ${called.host} cannot be read: it is not what that provider's interface says.`,
  );
}

/** Rejects when the signal aborts, whatever the client does. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new Error('aborted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

async function callOnce(
  effect: CallModel,
  { secrets, listen }: ModelCallSettings,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const endpoint = endpointOf(effect, secrets);
  const called: CalledModel = {
    provider: endpoint.provider,
    model: modelName(effect),
    host: new URL(endpoint.baseUrl).host,
    keyName: endpoint.keyName,
    hasKey: endpoint.key !== undefined,
  };
  const listener = listen?.(effect);
  const inner = new AbortController();
  const stop = (): void => inner.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let timedOut = false;
  const seconds = effect.timeout_seconds;
  const timer =
    seconds === null
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          stop();
        }, timerMs(seconds));
  try {
    return await Promise.race([
      ask(effect, endpoint, called, inner.signal, listener),
      aborted(inner.signal),
    ]);
  } catch (error) {
    if (timedOut) {
      throw modelFailure(
        'model_timeout',
        `provider '${called.provider}' at ${called.host} did not answer within ${seconds} s. Raise model.timeout_seconds or SERV_PROVIDER_TIMEOUT_SECONDS.`,
      );
    }
    if (signal.aborted) throw new EffectFailure('the call was stopped', { retryable: false });
    throw failureOf(error, called);
  } finally {
    clearTimeout(timer);
    listener?.end();
    signal.removeEventListener('abort', stop);
    // Closes the connection of an answer that was not read to its end.
    stop();
  }
}

/**
 * Answers model calls of real providers (decisions 9): streamed, bounded, stopped by the signal down
 * to the connection, within the attempt's own time limit. Retries are the engine's.
 */
export function createCallModel(
  settings: ModelCallSettings,
): (effect: CallModel, signal: AbortSignal) => Promise<EffectResult> {
  const { secrets } = settings;
  return async (effect, signal) => {
    await secrets.ready();
    return { kind: 'model', answer: await callOnce(effect, settings, signal) };
  };
}
