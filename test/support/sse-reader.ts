/** One frame of an event stream; `id` is null where it carries none. */
export interface ReadFrame {
  readonly id: string | null;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a schema here would repeat the contract under test
  readonly data: any;
  /** Milliseconds on the process's clock. */
  readonly at: number;
}

export interface SseReader {
  readonly status: number;
  readonly frames: ReadFrame[];
  /** Types of the trace events that came. */
  types(): string[];
  /** Resolves when the service closed the stream. */
  readonly closed: Promise<void>;
  /** Waits until a frame is there that fits. */
  until(fits: (frame: ReadFrame) => boolean): Promise<ReadFrame>;
  leave(): void;
}

function frameOf(block: string): ReadFrame | undefined {
  const fields = new Map(
    block
      .split('\r\n')
      .filter((line) => !line.startsWith(':') && line.includes(': '))
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const [id, event] = [fields.get('id') ?? null, fields.get('event') ?? 'message'];
  return { id, event, data: JSON.parse(data), at: performance.now() };
}

/** Opens an event stream and reads it until either side ends it. */
export async function readSse(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<SseReader> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const frames: ReadFrame[] = [];
  const waiting = new Set<() => void>();
  const read = async (): Promise<void> => {
    let pending = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      pending += decoder.decode(bytes, { stream: true });
      const blocks = pending.split('\r\n\r\n');
      pending = blocks.pop() ?? '';
      frames.push(...blocks.map(frameOf).filter((frame) => frame !== undefined));
      for (const wake of [...waiting]) wake();
    }
  };
  const closed = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return {
    status: response.status,
    frames,
    types: () => frames.filter(({ event }) => event === 'trace').map(({ data }) => data.type),
    closed,
    until(fits) {
      const { promise, resolve, reject } = Promise.withResolvers<ReadFrame>();
      const look = (): void => {
        const found = frames.find(fits);
        if (found !== undefined) resolve(found);
      };
      waiting.add(look);
      look();
      closed.then(() => reject(new Error(`closed after ${JSON.stringify(frames.at(-1))}`)), reject);
      return promise.finally(() => waiting.delete(look));
    },
    leave: () => leaving.abort(),
  };
}
