import type { OpenAIProvider } from '@ai-sdk/openai';
import type { ModelEndpoint } from './endpoint.ts';

/** A client of one model, and the types of what it takes and gives. */
export type LanguageModel = ReturnType<OpenAIProvider['chat']>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];
/** What a model is sent. */
export type Prompt = CallOptions['prompt'];
type StreamResult = Awaited<ReturnType<LanguageModel['doStream']>>;
type Elements<T> = T extends ReadableStream<infer E> ? E : never;
/** A part of a streamed answer. */
export type StreamPart = Elements<StreamResult['stream']>;
/** A whole answer. */
export type Generated = Awaited<ReturnType<LanguageModel['doGenerate']>>;

/** Clients insist on a key; a server that needs none ignores this one. */
const NO_KEY = 'none';

/**
 * The client of a provider's model. Its package is loaded at the first call, so that an idle service
 * holds none of them.
 */
export async function openLanguageModel(
  endpoint: ModelEndpoint,
  model: string,
  send: typeof fetch,
): Promise<LanguageModel> {
  const { family, provider, baseUrl: baseURL, key } = endpoint;
  const apiKey = key ?? NO_KEY;
  if (family === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL, apiKey, fetch: send }).languageModel(model);
  }
  if (family === 'google') {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ baseURL, apiKey, fetch: send }).languageModel(model);
  }
  if (family === 'openai' && key !== undefined) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ baseURL, apiKey, fetch: send }).chat(model);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name: provider,
    baseURL,
    fetch: send,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(key === undefined ? {} : { apiKey }),
  }).chatModel(model);
}
