/** One frame of a `text/event-stream`: its event name, its joined data lines and its id, if any. */
export interface SseFrame {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

export interface SseParser {
  /** Feeds decoded text, in any cut, and answers the frames completed by it. */
  push(chunk: string): SseFrame[];
}

function frameOf(block: string): SseFrame | undefined {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') {
      event = value;
    } else if (name === 'id') {
      id = value;
    } else if (name === 'data') {
      data.push(value);
    }
  }
  if (data.length === 0) {
    return undefined;
  }
  const frame = { event, data: data.join('\n') };
  return id === undefined ? frame : { id, ...frame };
}

/** An incremental parser; comments and heartbeats yield nothing. */
export function createSseParser(): SseParser {
  let pending = '';
  return {
    push(chunk) {
      pending = (pending + chunk).replace(/\r\n/g, '\n');
      const blocks = pending.split('\n\n');
      pending = blocks.pop() ?? '';
      return blocks.map(frameOf).filter((frame) => frame !== undefined);
    },
  };
}
