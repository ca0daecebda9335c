import type { z } from 'zod';
import { t } from '../../preload/texts/t.ts';
import type { Stream } from '../../server/contract/stream.ts';
import { environmentQuery, fetchOrFail, readJson, requestInit } from './api-client.ts';
import { ApiError, apiErrorFrom } from './api-error.ts';
import { readyEndpoint } from './endpoint.ts';
import { routeUrl } from './route-url.ts';
import { createSseParser, type SseFrame } from './sse-parser.ts';

type EventSchemas = Readonly<Record<string, z.ZodType>>;

/** One parsed frame: the event's name, its data in the contract's shape, and its id, if any. */
export type StreamEvent<Events extends EventSchemas> = {
  [Name in keyof Events]: {
    readonly event: Name;
    readonly data: z.output<Events[Name]>;
    readonly id?: string;
  };
}[keyof Events];

export interface StreamInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

function parseFrame<Events extends EventSchemas>(
  stream: Stream<Events>,
  frame: SseFrame,
): StreamEvent<Events> | undefined {
  const schema = stream.events[frame.event];
  if (schema === undefined) {
    return undefined;
  }
  const parsed = schema.safeParse(JSON.parse(frame.data));
  if (!parsed.success) {
    throw new ApiError({
      status: 200,
      code: 'response_invalid',
      message: t('The live stream sent a frame that this version of the window cannot read.'),
      requestId: null,
      details: { stream: stream.id, event: frame.event, problem: parsed.error.issues[0]?.message },
      retryAfter: null,
    });
  }
  return { ...frame, data: parsed.data } as StreamEvent<Events>;
}

/**
 * Opens a stream through the gateway and yields its frames until the service ends it or the signal
 * aborts. Throws `ApiError` when the stream is refused. Frames of unknown events are skipped.
 */
export async function* openStream<Events extends EventSchemas>(
  stream: Stream<Events>,
  input: StreamInput,
  options: { readonly signal: AbortSignal; readonly onOpen?: () => void },
): AsyncGenerator<StreamEvent<Events>, void, undefined> {
  const endpoint = await readyEndpoint(options.signal);
  const init = requestInit(
    endpoint,
    { ...options, headers: { accept: 'text/event-stream' } },
    stream.service,
  );
  const query = { ...input.query, ...environmentQuery(stream.service) };
  const response = await fetchOrFail(
    `${endpoint.baseUrl}${routeUrl(stream, input.params, query)}`,
    init,
  );
  if (!response.ok || response.body === null) {
    throw apiErrorFrom(response.status, response.headers, await readJson(response));
  }
  options.onOpen?.();
  const parser = createSseParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      for (const frame of parser.push(value)) {
        const event = parseFrame(stream, frame);
        if (event !== undefined) {
          yield event;
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
