import type { z } from 'zod';
import type { traceEvent } from '../../contract/platform/run-reads.ts';
import type { Told } from '../../contract/told.ts';

/** An event of a trace as a command reads it. */
export type TraceEvent = Told<z.output<typeof traceEvent>>;

const MARKS: readonly (readonly [ending: string, mark: string])[] = [
  ['_started', '▸'],
  ['_completed', '✓'],
  ['_failed', '✗'],
  ['_requested', '?'],
];
const PREVIEW = 80;

function clock(timestamp: string | null | undefined): string {
  return /T(\d\d:\d\d:\d\d\.\d{3})/.exec(timestamp ?? '')?.[1] ?? '';
}

/** One event of a trace on one line: when, what, where, and what came of it. */
export function traceLine(event: TraceEvent): string {
  const type = event.type ?? '';
  const mark = MARKS.find(([ending]) => type.endsWith(ending))?.[1] ?? '·';
  const where = event.step_id ?? event.tool_name ?? event.agent_name ?? event.workflow_name ?? '';
  const said = event.error ?? event.output_preview ?? '';
  const flat = said.replaceAll(/\s+/g, ' ').trim();
  const preview = flat.length > PREVIEW ? `${flat.slice(0, PREVIEW - 1)}…` : flat;
  return [clock(event.timestamp), mark, type, where, preview].filter(Boolean).join('  ');
}
