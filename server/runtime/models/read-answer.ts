import type { ModelAnswer } from '../../engine/event.ts';
import type { ToolCall } from '../../engine/message.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { EffectFailure } from '../run-effects.ts';
import type { Generated, StreamPart } from './language-model.ts';
import { type CalledModel, modelFailure, readErrorFacts, refusalOf } from './model-failure.ts';
import type { ToolNames } from './tool-names.ts';

type Content = Generated['content'][number];
type ProviderToolCall = Extract<Content, { type: 'tool-call' }>;
type Finish = Pick<Extract<StreamPart, { type: 'finish' }>, 'finishReason' | 'usage'>;

/** An error that a stream carries: a failure of ours, a refusal of the provider, or bytes that nobody reads. */
function streamedError(error: unknown, called: CalledModel): EffectFailure {
  if (error instanceof EffectFailure) return error;
  if (error instanceof Error) return malformed(called, 'it is no valid JSON of that provider');
  const facts = readErrorFacts(error);
  return refusalOf({ called, status: undefined, facts, retryAfterSeconds: undefined });
}

function malformed(called: CalledModel, why: string): EffectFailure {
  return modelFailure(
    'model_answer_malformed',
    `the answer of provider '${called.provider}' at ${called.host} cannot be read: ${why}.`,
  );
}

function argumentsOf(call: ProviderToolCall, called: CalledModel, tool: string): JsonObject {
  if (call.input.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(call.input);
    if (isJsonObject(value)) return value;
  } catch {
    // Answered below: models do write broken JSON.
  }
  throw malformed(called, `the arguments for tool '${tool}' are no JSON object`);
}

function metadataOf(call: ProviderToolCall): Pick<ToolCall, 'provider_metadata'> {
  const { providerMetadata } = call;
  if (providerMetadata === undefined || Object.keys(providerMetadata).length === 0) return {};
  const copy: unknown = JSON.parse(JSON.stringify(providerMetadata));
  return isJsonObject(copy) ? { provider_metadata: copy } : {};
}

/** Tokens as the provider counted them; undefined when it counted nothing. */
function usageOf(usage: Finish['usage']): Json | undefined {
  const { inputTokens, outputTokens } = usage;
  const counted: [string, number | undefined][] = [
    ['input_tokens', inputTokens.total],
    ['output_tokens', outputTokens.total],
  ];
  const known = counted.filter(([, value]) => value !== undefined);
  if (known.length === 0) return undefined;
  const more: [string, number | undefined][] = [
    ['cached_input_tokens', inputTokens.cacheRead],
    ['reasoning_tokens', outputTokens.reasoning],
  ];
  const shown = more.filter(([, value]) => value !== undefined && value > 0);
  const total = (inputTokens.total ?? 0) + (outputTokens.total ?? 0);
  const report: JsonObject = { total_tokens: total };
  for (const [name, value] of [...known, ...shown]) if (value !== undefined) report[name] = value;
  return report;
}

/** Collects one answer, whether it comes in parts or at once. */
class AnswerReader {
  readonly #called: CalledModel;
  readonly #names: ToolNames;
  readonly #texts: string[] = [];
  readonly #calls: ToolCall[] = [];
  #finish: Finish | undefined;

  constructor(called: CalledModel, names: ToolNames) {
    this.#called = called;
    this.#names = names;
  }

  text(text: string): void {
    this.#texts.push(text);
  }

  call(call: ProviderToolCall): void {
    if (call.providerExecuted === true) return;
    const name = this.#names.fromWire(call.toolName);
    const taken = this.#calls.some(({ id }) => id === call.toolCallId);
    const id = taken || call.toolCallId === '' ? `call_${this.#calls.length + 1}` : call.toolCallId;
    const args = argumentsOf(call, this.#called, name);
    this.#calls.push({ id, name, arguments: args, ...metadataOf(call) });
  }

  finish(finish: Finish): void {
    this.#finish = finish;
  }

  #refuseUnfinished(reason: Finish['finishReason']['unified'] | undefined): void {
    const called = this.#called;
    if (reason === undefined || reason === 'interrupted' || reason === 'error') {
      throw malformed(called, 'it ends too early');
    }
    const empty = this.#calls.length === 0 && this.#texts.join('') === '';
    if (!empty) return;
    if (reason === 'content-filter') {
      throw modelFailure(
        'model_answer_blocked',
        `provider '${called.provider}' withheld the answer of model '${called.model}' by its content rules.`,
      );
    }
    if (reason === 'length') {
      throw modelFailure(
        'model_answer_cut',
        `model '${called.model}' used up max_tokens before its first word. Raise max_tokens.`,
      );
    }
  }

  answer(): ModelAnswer {
    this.#refuseUnfinished(this.#finish?.finishReason.unified);
    const usage = this.#finish === undefined ? undefined : usageOf(this.#finish.usage);
    return {
      text: this.#texts.join(''),
      tool_calls: this.#calls,
      ...(usage === undefined ? {} : { usage }),
      ...this.#warning(),
    };
  }

  #warning(): Pick<ModelAnswer, 'warning'> {
    if (this.#finish?.finishReason.unified !== 'length') return {};
    const { provider, model } = this.#called;
    return { warning: `An answer of model '${model}' of '${provider}' was cut at max_tokens.` };
  }
}

/**
 * Reads a streamed answer to its end.
 * @throws EffectFailure for an error in the stream, a stream that breaks off, arguments that are no object
 */
export async function readStream(
  stream: ReadableStream<StreamPart>,
  called: CalledModel,
  names: ToolNames,
  hear: (text: string) => void,
): Promise<ModelAnswer> {
  const answer = new AnswerReader(called, names);
  for await (const part of stream) {
    if (part.type === 'text-delta') {
      answer.text(part.delta);
      hear(part.delta);
    } else if (part.type === 'tool-call') answer.call(part);
    else if (part.type === 'finish') answer.finish(part);
    else if (part.type === 'error') throw streamedError(part.error, called);
  }
  return answer.answer();
}

/** Reads an answer that came at once. */
export function readGenerated(
  generated: Generated,
  called: CalledModel,
  names: ToolNames,
): ModelAnswer {
  const answer = new AnswerReader(called, names);
  for (const part of generated.content) {
    if (part.type === 'text') answer.text(part.text);
    else if (part.type === 'tool-call') answer.call(part);
  }
  answer.finish(generated);
  return answer.answer();
}
