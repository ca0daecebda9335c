import { getSeq, seqValues } from './seq-map.ts';
import type { Frame, OpenSpan, RunState } from './state.ts';

/** What stands around a call in the trace: nulls where nothing does. */
export interface Around {
  readonly event_id: string | null;
  readonly span_id: string | null;
  readonly workflow_name: string | null;
}

const NOTHING: Around = { event_id: null, span_id: null, workflow_name: null };

function frameOf({ frames }: RunState, id: string | null | undefined): Frame | undefined {
  return id === null || id === undefined ? undefined : getSeq(frames, Number(id.slice(1)));
}

/** What a frame says of the span that its calls are in; undefined = what is around it says it. */
function spanOf(frame: Frame): Around | undefined {
  if (frame.kind === 'agent' && frame.span !== null) {
    const { event_id, span_id } = frame.span;
    return { event_id, span_id, workflow_name: frame.workflow_name };
  }
  if (frame.kind === 'step' && frame.span_id !== null) {
    const { span_id, workflow_name } = frame;
    return { event_id: null, span_id, workflow_name };
  }
  return undefined;
}

/** The innermost span of the trace around an effect that the state waits for. */
export function spanAround(state: RunState, effectId: string): Around {
  const pending = getSeq(state.pending, Number(effectId.slice(1)));
  let frame = frameOf(state, pending?.frame);
  while (frame !== undefined) {
    const found = spanOf(frame);
    if (found !== undefined) return found;
    frame = frameOf(state, frame.parent);
  }
  return NOTHING;
}

/** The legs of workflows in progress that the trace tells of, the oldest first. */
export function openLegs(state: RunState): readonly OpenSpan[] {
  return [...seqValues(state.frames)].flatMap((frame) =>
    frame.kind === 'workflow' && frame.span !== null && frame.id !== state.pause?.frame
      ? [frame.span]
      : [],
  );
}

/** The leg that ended with a question to a person, which the run still waits for. */
export function pausedLeg(state: RunState): OpenSpan | undefined {
  const frame = frameOf(state, state.pause?.frame);
  return frame?.kind === 'workflow' ? (frame.span ?? undefined) : undefined;
}
