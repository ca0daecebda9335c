import type { FastifyReply } from 'fastify';

export interface EventStreamOptions {
  /** A comment line is sent when nothing else was for this long. Milliseconds. */
  readonly heartbeatMs: number;
  /** A reader that takes longer than this for one write is torn down. Milliseconds. */
  readonly sendTimeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text of the heartbeat comment. */
  heartbeat(): string;
}

/** An open server-sent-events answer. */
export interface EventStream {
  /** Writes one frame; resolves when the socket took it, rejects when the reader is gone. */
  send(event: string, data: unknown): Promise<void>;
  /** The same for frames that are written already, in one write. */
  sendFrames(frames: Uint8Array): Promise<void>;
  close(): void;
  /** Aborted when either side ended the stream. */
  readonly closed: AbortSignal;
}

/** Takes the reply over and streams frames with CRLF line ends, without ids. */
export function openEventStream(reply: FastifyReply, options: EventStreamOptions): EventStream {
  const closed = new AbortController();
  const socket = reply.raw;
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) socket.setHeader(name, value);
  }
  socket.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    ...options.headers,
  });
  socket.flushHeaders();

  const finish = (): void => {
    clearInterval(timer);
    closed.abort();
  };
  const write = (text: string | Uint8Array): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (closed.signal.aborted) {
      reject(new Error('the reader of the stream is gone'));
      return promise;
    }
    const stalled = setTimeout(() => {
      finish();
      socket.destroy();
      reject(new Error('the reader of the stream stalled'));
    }, options.sendTimeoutMs);
    socket.write(text, (error) => {
      clearTimeout(stalled);
      if (error) reject(error);
      else resolve();
    });
    return promise;
  };
  const timer = setInterval(() => {
    write(`: ${options.heartbeat()}\r\n\r\n`).catch(finish);
  }, options.heartbeatMs);
  socket.once('close', finish);

  const frame = (event: string, data: unknown): string =>
    `event: ${event}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`;

  return {
    send: (event, data) => write(frame(event, data)),
    sendFrames: write,
    close: () => {
      finish();
      socket.end();
    },
    closed: closed.signal,
  };
}
