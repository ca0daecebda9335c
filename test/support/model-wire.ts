/** A call that a scripted model asks for; arguments as text are sent as they stand. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** What a scripted model answers. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  readonly finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter';
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
    /** Told by the format of OpenAI alone. */
    readonly reasoning?: number;
  };
}

export type WireFormat = 'openai' | 'anthropic' | 'google';

/** An answer in a provider's words: the frames of a stream, and the whole body without one. */
export interface WireAnswer {
  readonly frames: readonly string[];
  readonly whole: unknown;
}

const USAGE: NonNullable<ScriptedAnswer['usage']> = { input: 11, output: 7 };

function argumentText(call: ScriptedCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}

/** Text in the pieces that it is streamed in. */
function pieces(text: string): string[] {
  return text === '' ? [] : (text.match(/[\s\S]{1,12}/g) ?? []);
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function openai(answer: ScriptedAnswer, model: string): WireAnswer {
  const { text = '', toolCalls = [], usage = USAGE } = answer;
  const finish = answer.finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
  const base = { id: 'chatcmpl-1', created: 1_700_000_000, model };
  const counted = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
  const calls = toolCalls.map((call, index) => ({
    index,
    id: call.id ?? `call_${index + 1}`,
    type: 'function',
    function: { name: call.name, arguments: argumentText(call) },
  }));
  const chunk = (delta: unknown, reason: string | null = null): string =>
    data({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  const callFrames = calls.flatMap(({ function: asked, ...call }) => [
    chunk({ tool_calls: [{ ...call, function: { name: asked.name, arguments: '' } }] }),
    ...pieces(asked.arguments).map((part) =>
      chunk({ tool_calls: [{ index: call.index, function: { arguments: part } }] }),
    ),
  ]);
  return {
    frames: [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(text).map((content) => chunk({ content })),
      ...callFrames,
      chunk({}, finish),
      data({ ...base, object: 'chat.completion.chunk', choices: [], usage: counted }),
      'data: [DONE]\n\n',
    ],
    whole: {
      ...base,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: finish,
          message: {
            role: 'assistant',
            content: text,
            ...(calls.length === 0 ? {} : { tool_calls: calls }),
          },
        },
      ],
      usage: counted,
    },
  };
}

const ANTHROPIC_STOPS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const;

function event(value: { readonly type: string }): string {
  return `event: ${value.type}\n${data(value)}`;
}

function anthropic(answer: ScriptedAnswer, model: string): WireAnswer {
  const { text = '', toolCalls = [], usage = USAGE } = answer;
  const stop = ANTHROPIC_STOPS[answer.finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')];
  const counted = {
    input_tokens: usage.input - (usage.cached ?? 0),
    cache_read_input_tokens: usage.cached ?? 0,
    cache_creation_input_tokens: 0,
  };
  const base = { id: 'msg_1', type: 'message', role: 'assistant', model };
  const textFrames =
    text === ''
      ? []
      : [
          event({
            type: 'content_block_start',
            ...{ index: 0, content_block: { type: 'text', text: '' } },
          }),
          ...pieces(text).map((part) =>
            event({
              type: 'content_block_delta',
              ...{ index: 0, delta: { type: 'text_delta', text: part } },
            }),
          ),
          event({ type: 'content_block_stop', ...{ index: 0 } }),
        ];
  const callFrames = toolCalls.flatMap((call, at) => {
    const index = at + (text === '' ? 0 : 1);
    const id = call.id ?? `toolu_${at + 1}`;
    const block = { type: 'tool_use', id, name: call.name, input: {} };
    return [
      event({ type: 'content_block_start', ...{ index, content_block: block } }),
      ...pieces(argumentText(call)).map((part) =>
        event({
          type: 'content_block_delta',
          ...{ index, delta: { type: 'input_json_delta', partial_json: part } },
        }),
      ),
      event({ type: 'content_block_stop', ...{ index } }),
    ];
  });
  return {
    frames: [
      event({
        type: 'message_start',
        ...{
          message: {
            ...base,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { ...counted, output_tokens: 1 },
          },
        },
      }),
      ...textFrames,
      ...callFrames,
      event({
        type: 'message_delta',
        ...{
          delta: { stop_reason: stop, stop_sequence: null },
          usage: { output_tokens: usage.output },
        },
      }),
      event({ type: 'message_stop' }),
    ],
    whole: {
      ...base,
      content: [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...toolCalls.map((call, at) => ({
          type: 'tool_use',
          id: call.id ?? `toolu_${at + 1}`,
          name: call.name,
          input: call.arguments,
        })),
      ],
      stop_reason: stop,
      stop_sequence: null,
      usage: { ...counted, output_tokens: usage.output },
    },
  };
}

const GOOGLE_STOPS = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
} as const;

function google(answer: ScriptedAnswer, model: string): WireAnswer {
  const { text = '', toolCalls = [], usage = USAGE } = answer;
  const counted = {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
    cachedContentTokenCount: usage.cached ?? 0,
  };
  const calls = toolCalls.map((call) => ({
    functionCall: { name: call.name, args: call.arguments },
    thoughtSignature: `signature-of-${call.name}`,
  }));
  const parts = (list: readonly unknown[]) => ({
    content: { role: 'model', parts: list },
    index: 0,
  });
  const finishReason = GOOGLE_STOPS[answer.finish ?? 'stop'];
  return {
    frames: [
      ...pieces(text).map((part) => data({ candidates: [parts([{ text: part }])] })),
      ...(calls.length === 0 ? [] : [data({ candidates: [parts(calls)] })]),
      data({
        candidates: [{ ...parts([{ text: '' }]), finishReason }],
        usageMetadata: counted,
        modelVersion: model,
      }),
    ],
    whole: {
      candidates: [{ ...parts([{ text }, ...calls]), finishReason }],
      usageMetadata: counted,
      modelVersion: model,
    },
  };
}

/** Puts an answer into the words of a provider. */
export function toWire(format: WireFormat, answer: ScriptedAnswer, model: string): WireAnswer {
  switch (format) {
    case 'openai':
      return openai(answer, model);
    case 'anthropic':
      return anthropic(answer, model);
    case 'google':
      return google(answer, model);
  }
}

/** A refusal in the words of a provider. The text holds what no message of ours may repeat. */
export function refusalBody(format: WireFormat, code: string, message: string): unknown {
  switch (format) {
    case 'openai':
      return { error: { message, type: 'invalid_request_error', param: null, code } };
    case 'anthropic':
      return { type: 'error', error: { type: code, message } };
    case 'google':
      return { error: { code: 400, message, status: code } };
  }
}
