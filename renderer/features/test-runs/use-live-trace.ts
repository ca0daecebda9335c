import { useEffect, useState } from 'react';
import { type TraceEvent, traceStream } from '../../../server/contract/dashboard/trace.ts';
import { openStream } from '../../data/event-stream.ts';
import { createFrameBatch } from '../../data/frame-batch.ts';

export interface LiveTrace {
  readonly events: readonly TraceEvent[];
  readonly state: 'opening' | 'live' | 'ended' | 'failed';
  readonly error: unknown;
}

const OPENING: LiveTrace = { events: [], state: 'opening', error: undefined };

/** The trace of a run from its start, growing until the run ends; `onChange` follows each batch. */
export function useLiveTrace(runId: string, onChange: () => void): LiveTrace {
  const [trace, setTrace] = useState<LiveTrace>(OPENING);
  useEffect(() => {
    const controller = new AbortController();
    const batch = createFrameBatch<TraceEvent>((events) => {
      setTrace((now) => ({ ...now, events: [...now.events, ...events] }));
      onChange();
    });
    const read = async (): Promise<void> => {
      setTrace(OPENING);
      const stream = openStream(
        traceStream,
        { params: { run_id: runId } },
        {
          signal: controller.signal,
          onOpen: () => setTrace((now) => ({ ...now, state: 'live' })),
        },
      );
      for await (const frame of stream) {
        if (frame.event === 'trace') {
          batch.add(frame.data);
        } else if (frame.event === 'stream_error') {
          setTrace((now) => ({ ...now, state: 'failed', error: new Error(frame.data.message) }));
          return;
        }
      }
      batch.flush();
      setTrace((now) => ({ ...now, state: 'ended' }));
      onChange();
    };
    read().catch((error: unknown) => {
      if (!controller.signal.aborted) {
        setTrace((now) => ({ ...now, state: 'failed', error }));
      }
    });
    return () => {
      controller.abort();
      batch.cancel();
    };
  }, [runId, onChange]);
  return trace;
}
