import type { CheckpointDiff, PlatformTestRun, RunGraph } from '../../contract/studio/test-runs.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import {
  optionalBoolean,
  optionalInteger,
  optionalList,
  optionalObject,
  optionalText,
  protocolError,
  requireSameRun,
  requireText,
} from '../../platform-client/protocol.ts';
import { toEdges, toNodes } from '../govern/topology.ts';

const TERMINAL = new Set(['completed', 'failed', 'cancelled', 'expired', 'timed_out']);

/** True for a status that a run does not leave; an unknown word is not one. */
export function isTerminal(status: string): boolean {
  return TERMINAL.has(status);
}

/** A list of objects; absent or null is empty. */
export function objects(answer: JsonObject, name: string): Record<string, unknown>[] {
  return (optionalList(answer, name) ?? []).map((item) => {
    if (isObject(item)) return item;
    throw protocolError(`${name} holds something that is no object`);
  });
}

/** The platform's own word about a run (studio.md 12). */
export function toPlatformTestRun(answer: JsonObject, runId: string): PlatformTestRun {
  requireSameRun(answer, runId);
  const usage = optionalObject(answer, 'usage');
  return {
    error: optionalObject(answer, 'error') ?? null,
    output_text: optionalText(answer, 'output_text') ?? null,
    status: requireText(answer, 'status'),
    usage:
      usage === undefined
        ? null
        : {
            input_tokens: optionalInteger(usage, 'input_tokens') ?? 0,
            output_tokens: optionalInteger(usage, 'output_tokens') ?? 0,
            total_tokens: optionalInteger(usage, 'total_tokens') ?? 0,
          },
  };
}

/** A run's topology with its path. */
export function toRunGraph(answer: JsonObject, runId: string): RunGraph {
  requireSameRun(answer, runId);
  const visited = (optionalList(answer, 'visited') ?? []).map((item) => {
    if (typeof item === 'string') return item;
    throw protocolError('visited holds something that is no text');
  });
  return {
    run_id: runId,
    status: optionalText(answer, 'status') ?? null,
    workflow_kind: optionalText(answer, 'workflow_kind') ?? null,
    start: optionalText(answer, 'start') ?? null,
    nodes: toNodes(answer),
    edges: toEdges(answer),
    current: optionalText(answer, 'current') ?? null,
    visited,
    max_steps: optionalInteger(answer, 'max_steps') ?? null,
  };
}

function changes(answer: JsonObject, name: string): Record<string, unknown>[] {
  const found = objects(answer, name);
  for (const item of found) requireText(item, 'path');
  return found;
}

/** What changed between two checkpoints. */
export function toCheckpointDiff(answer: JsonObject, runId: string): CheckpointDiff {
  requireSameRun(answer, runId);
  return {
    run_id: runId,
    added: changes(answer, 'added'),
    changed: changes(answer, 'changed'),
    removed: changes(answer, 'removed'),
    change_count: optionalInteger(answer, 'change_count') ?? null,
    from_checkpoint: optionalObject(answer, 'from_checkpoint') ?? null,
    to_checkpoint: optionalObject(answer, 'to_checkpoint') ?? null,
    truncated: optionalBoolean(answer, 'truncated') ?? null,
  };
}
