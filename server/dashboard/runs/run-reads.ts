import type {
  CheckpointDiff,
  RunGraphView,
  RunPolicyReport,
  RunRecovery,
  RunReplay,
} from '../../contract/dashboard/runs.ts';
import type {
  diffCheckpoints,
  getReplay,
  getRunGraph,
  getRunPolicyReport,
} from '../../contract/platform/run-reads.ts';
import type { Answer } from '../../platform-client/answers.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import type { RecoveryAnswer } from '../platform-answers.ts';
import { firstText, objectOf, objectsOf, type Source, text } from '../read.ts';
import { errorText } from './run-view.ts';

/** The answer, or undefined when the platform says 404. */
export async function unlessNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return undefined;
    throw error;
  }
}

/** The graph with its visited and current nodes; edges without both ends are dropped. */
export function toGraphView(body: Answer<typeof getRunGraph> | undefined): RunGraphView {
  if (body === undefined) return { available: false, nodes: [], edges: [], current: null };
  const visited = new Set(body.visited);
  const current = body.current ?? null;
  const nodes = (body.nodes ?? []).flatMap((node) => {
    const id = firstText(node.id, node['node_id'], node.name);
    if (id === null) return [];
    return {
      id,
      label: firstText(node['label'], node.name, id) ?? id,
      kind: firstText(node['type'], node.kind),
      step_kind: firstText(node.step_kind, node.kind),
      visited: visited.has(id),
      current: id === current,
    };
  });
  const edges = (body.edges ?? []).flatMap((edge) => {
    const source = firstText(edge['from'], edge.source, edge['from_node']);
    const target = firstText(edge['to'], edge.target, edge['to_node']);
    if (source === null || target === null) return [];
    return {
      source,
      target,
      label: edge.label ?? null,
      conditional: edge.conditional === true,
    };
  });
  return { available: true, nodes, edges, current };
}

/** The policy report of a run; one the platform does not have reads as unavailable. */
export function toPolicyReport(
  body: Answer<typeof getRunPolicyReport> | undefined,
): RunPolicyReport {
  const report = body?.report ?? {};
  const review = objectOf(report['human_review']);
  return {
    available: body !== undefined,
    valid: body?.valid ?? true,
    version: text(report['version']),
    summary: objectOf(report['summary']),
    human_review_required: review['required'] === true,
    human_review_missing: review['missing'] === true,
    diagnostics: objectsOf(report['diagnostics']).map((item) => ({
      code: text(item['code']),
      message: text(item['message']),
      severity: text(item['severity']),
    })),
  };
}

/** Where a run stopped. */
export function toRecovery(body: RecoveryAnswer): RunRecovery {
  const count = body.checkpoint_count ?? 0;
  const continuationId = body.continuation_id ?? null;
  return {
    run_id: body.run_id ?? '',
    status: body.status ?? '',
    checkpoint_count: count,
    continuation_id: continuationId,
    current_node_id: body.current_node_id ?? null,
    current_step_index: body.current_step_index ?? null,
    error: errorText(body.error),
    recoverable: continuationId !== null || count > 0,
    visited_nodes: [...(body.visited_nodes ?? [])],
  };
}

/** The saved states of a run as a list of labels. */
export function toReplay(body: Answer<typeof getReplay>): RunReplay {
  return {
    run_id: body.run_id ?? '',
    status: body.status ?? '',
    checkpoint_count: body.checkpoint_count ?? 0,
    timeline: (body.timeline ?? []).map((item) => ({
      sequence: item.sequence ?? null,
      label: firstText(item['label'], item.type, item['name']) ?? '(step)',
      node: firstText(item.node_id, item.step_id, item['node']),
    })),
  };
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function keyOf(entry: Source): string | null {
  return firstText(entry['key'], entry['path'], entry['field'], entry['name']);
}

/** The value of the first of the names that the entry has, also when it is 0, false or empty. */
function present(entry: Source, names: readonly string[]): unknown {
  const name = names.find((candidate) => candidate in entry);
  return name === undefined ? null : entry[name];
}

function singles(list: readonly Source[]): CheckpointDiff['added'] {
  return list.flatMap((entry) => {
    const key = keyOf(entry);
    if (key === null) return [];
    return { key, value: valueText(entry['value']), from_value: null, to_value: null };
  });
}

function changes(list: readonly Source[]): CheckpointDiff['changed'] {
  return list.flatMap((entry) => {
    const key = keyOf(entry);
    if (key === null) return [];
    return {
      key,
      value: null,
      from_value: valueText(present(entry, ['from', 'old', 'before'])),
      to_value: valueText(present(entry, ['to', 'new', 'after'])),
    };
  });
}

/** The difference of two checkpoints, values as text. */
export function toCheckpointDiff(
  body: Answer<typeof diffCheckpoints>,
  asked: { readonly from: number | undefined; readonly to: number | undefined },
): CheckpointDiff {
  const added = singles(body.added ?? []);
  const changed = changes(body.changed ?? []);
  const removed = singles(body.removed ?? []);
  return {
    added,
    changed,
    removed,
    change_count: body.change_count ?? added.length + changed.length + removed.length,
    from_sequence: asked.from ?? body.from_checkpoint?.sequence ?? null,
    to_sequence: asked.to ?? body.to_checkpoint?.sequence ?? null,
    truncated: body.truncated === true,
  };
}
