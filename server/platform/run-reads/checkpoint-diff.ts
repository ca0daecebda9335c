import type { CheckpointDiff, CheckpointSummary } from '../../contract/platform/run-reads.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { oneByOne } from '../lists/time-slices.ts';
import { redactMember } from '../redaction.ts';
import { refuse } from '../refuse.ts';
import { type CheckpointState, checkpointLabels, ofCheckpoints } from './checkpoint-states.ts';
import { toCheckpointSummary } from './checkpoint-view.ts';

const MAX_LISTED = 200;

interface Leaf {
  readonly value: Json;
  readonly key: string;
}

/** Leaf paths such as `a.b[0].c`; an empty object or list is a leaf. */
function flatten(value: Json, path: string, key: string, leaves: Map<string, Leaf>): void {
  if (Array.isArray(value) && value.length > 0) {
    value.forEach((item, index) => {
      flatten(item, `${path}[${index}]`, key, leaves);
    });
    return;
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    for (const [name, item] of Object.entries(value)) {
      flatten(item, path === '' ? name : `${path}.${name}`, name, leaves);
    }
    return;
  }
  // An empty list or object of a state is filled by the next one.
  leaves.set(path, { value: structuredClone(value), key });
}

function leavesOf(checkpoint: CheckpointState): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const compared: JsonObject = {
    state: checkpoint.state,
    metadata: checkpoint.metadata,
  };
  flatten(compared, '', '', leaves);
  return leaves;
}

/** `session_id` of the record is shown; everything else is masked by its last key. */
function shown(path: string, leaf: Leaf): Json {
  return path === 'state.session_id' ? leaf.value : redactMember(leaf.key, leaf.value);
}

interface Range {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

function pick(sequences: readonly number[], range: Range): { from: number; to: number } {
  if (sequences.length < 2) {
    throw refuse('invalid_request', { message: 'The run has fewer than two checkpoints.' });
  }
  const find = (sequence: number | undefined, fallback: number): number => {
    const found = sequence === undefined ? sequences.at(fallback) : sequence;
    if (found === undefined || !sequences.includes(found)) {
      throw refuse('invalid_request', { message: `The run has no checkpoint ${sequence}.` });
    }
    return found;
  };
  const picked = { from: find(range.from, -2), to: find(range.to, -1) };
  if (picked.from === picked.to) {
    throw refuse('invalid_request', { message: 'Both sequences are the same.' });
  }
  return picked;
}

function isChanged(old: Leaf | undefined, now: Leaf | undefined): boolean {
  return old === undefined || now === undefined || !sameJson(old.value, now.value);
}

/** Counts one path that changed and lists it while there is room. */
function list(
  diff: CheckpointDiff,
  path: string,
  old: Leaf | undefined,
  now: Leaf | undefined,
): void {
  diff.change_count += 1;
  if (diff.change_count > MAX_LISTED) return;
  if (old === undefined) {
    if (now !== undefined) diff.added.push({ path, value: shown(path, now) });
  } else if (now === undefined) {
    diff.removed.push({ path, value: shown(path, old) });
  } else diff.changed.push({ path, before: shown(path, old), after: shown(path, now) });
}

interface Flat {
  readonly summary: CheckpointSummary;
  readonly leaves: Map<string, Leaf>;
}

async function diffOf(runId: string, from: Flat, to: Flat): Promise<CheckpointDiff> {
  const [before, after] = [from.leaves, to.leaves];
  const all = [...before.keys(), ...[...after.keys()].filter((path) => !before.has(path))];
  const changed = await oneByOne(all, (path) => isChanged(before.get(path), after.get(path)));
  // Most of a long run stays as it was; only what changed has an order.
  const paths = all.filter((_, index) => changed[index]).sort(compareCodePoints);
  const diff: CheckpointDiff = {
    run_id: runId,
    from_checkpoint: from.summary,
    to_checkpoint: to.summary,
    change_count: 0,
    added: [],
    removed: [],
    changed: [],
    truncated: false,
  };
  for (const path of paths) list(diff, path, before.get(path), after.get(path));
  diff.truncated = diff.change_count > MAX_LISTED;
  return diff;
}

/**
 * What changed between two checkpoints, by default the last two; at most 200 changes are listed
 * (contract/platform.md 3.6).
 * @throws Refusal invalid_request.
 */
export async function diffCheckpoints(
  deps: Pick<PlatformDeps, 'checkpoints'>,
  run: RunsTable,
  range: Range,
): Promise<CheckpointDiff> {
  const labels = await checkpointLabels(deps, run.id);
  const asked = pick(
    labels.map(({ sequence }) => sequence),
    range,
  );
  const found = new Map<number, Flat>();
  await ofCheckpoints(
    deps,
    run,
    (checkpoint) => {
      const { sequence } = checkpoint.row;
      if (sequence !== asked.from && sequence !== asked.to) return;
      const summary = toCheckpointSummary(checkpoint.row);
      found.set(sequence, { summary, leaves: leavesOf(checkpoint) });
    },
    { until: Math.max(asked.from, asked.to) },
  );
  const [from, to] = [found.get(asked.from), found.get(asked.to)];
  // Whoever removes runs may have come in between.
  if (from === undefined || to === undefined) throw refuse('not_found');
  return diffOf(run.id, from, to);
}
