import { listOf } from '../append-list.ts';
import { FLOW } from '../kinds/flow.ts';
import { message } from '../message.ts';
import type { ProgramWorkflow } from '../program.ts';
import type { Place } from '../resume-point.ts';
import type { RestartPoint } from '../state.ts';

/**
 * The place that a failed run is taken up again at. In a sequence its step is looked up by its id:
 * another spec may have it elsewhere.
 */
export function restartPlace(wf: ProgramWorkflow, restart: RestartPoint): Place {
  const { step, index, input, visited, flow } = restart;
  const at = wf.shape === 'sequential' ? wf.order.indexOf(step) : -1;
  const node = flow === undefined ? { kind: 'node' as const, node: step, input } : FLOW;
  return {
    shape: index === null ? 'graph' : 'sequential',
    go: index === null ? node : { kind: 'next' },
    thread: listOf([message('user', input)]),
    next: at >= 0 ? at : (index ?? 0),
    visited,
    settled: {},
    last_messages: null,
    ...(flow === undefined ? {} : { flow }),
  };
}
