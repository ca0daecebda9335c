import type { TraceEvent } from '../../contract/dashboard/trace.ts';

/** Events that were read together, as the frames that every stream of the run sends. */
export interface TraceChunk {
  /** How many events of the trace are before it, and up to its end. */
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** Frames of the events after a place in it; `numbered` ones carry their place as `id`. */
  frames(after: number, numbered: boolean): Uint8Array;
}

const idLine = (place: number): string => `id: ${place}\r\n`;

/** Writes the events as frames once, for however many readers. */
export function createTraceChunk(from: number, events: readonly TraceEvent[]): TraceChunk {
  const starts: number[] = [];
  let length = 0;
  const frames = events.map((event, index) => {
    const text = `${idLine(from + index + 1)}event: trace\r\ndata: ${JSON.stringify(event)}\r\n\r\n`;
    const frame = Buffer.from(text);
    starts.push(length);
    length += frame.length;
    return frame;
  });
  const numbered = Buffer.concat(frames, length);
  /** Readers that know no ids are sent the same frames without that line. */
  const plain = (first: number): Buffer =>
    Buffer.concat(
      starts
        .slice(first)
        .map((start, index) =>
          numbered.subarray(
            start + idLine(from + first + index + 1).length,
            starts[first + index + 1],
          ),
        ),
    );
  let whole: Buffer | undefined;
  const wholePlain = (): Buffer => {
    whole ??= plain(0);
    return whole;
  };
  return {
    from,
    to: from + events.length,
    bytes: length,
    frames(after, asNumbered) {
      const first = after - from;
      if (asNumbered) return numbered.subarray(starts[first]);
      return first === 0 ? wholePlain() : plain(first);
    },
  };
}
