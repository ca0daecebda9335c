import type {
  CheckpointDiff,
  RunGraphView,
  RunPolicyReport,
  RunRecovery,
  RunReplay,
} from '../../contract/dashboard/runs.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import {
  booleanOrNull,
  firstText,
  integerOrNull,
  objectOf,
  objectsOf,
  type Source,
  text,
  textOrNull,
  textsOf,
} from '../read.ts';
import { errorText } from './run-view.ts';

/** The answer, or undefined when the platform says 404. */
export async function unlessNotFound(answer: Promise<JsonObject>): Promise<JsonObject | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return undefined;
    throw error;
  }
}

/** The graph with its visited and current nodes; edges without both ends are dropped. */
export function toGraphView(body: Source | undefined): RunGraphView {
  if (body === undefined) return { available: false, nodes: [], edges: [], current: null };
  const visited = new Set(textsOf(body['visited']));
  const current = textOrNull(body['current']);
  const nodes = objectsOf(body['nodes']).flatMap((node) => {
    const id = firstText(node['id'], node['node_id'], node['name']);
    if (id === null) return [];
    return {
      id,
      label: firstText(node['label'], node['name'], id) ?? id,
      kind: firstText(node['type'], node['kind']),
      step_kind: firstText(node['step_kind'], node['kind']),
      visited: visited.has(id),
      current: id === current,
    };
  });
  const edges = objectsOf(body['edges']).flatMap((edge) => {
    const source = firstText(edge['from'], edge['source'], edge['from_node']);
    const target = firstText(edge['to'], edge['target'], edge['to_node']);
    if (source === null || target === null) return [];
    return {
      source,
      target,
      label: textOrNull(edge['label']),
      conditional: edge['conditional'] === true,
    };
  });
  return { available: true, nodes, edges, current };
}

/** The policy report of a run; one the platform does not have reads as unavailable. */
export function toPolicyReport(body: Source | undefined): RunPolicyReport {
  const report = objectOf(body?.['report']);
  const review = objectOf(report['human_review']);
  return {
    available: body !== undefined,
    valid: booleanOrNull(body?.['valid']) ?? true,
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
export function toRecovery(body: Source): RunRecovery {
  const count = integerOrNull(body['checkpoint_count']) ?? 0;
  const continuationId = textOrNull(body['continuation_id']);
  return {
    run_id: text(body['run_id']),
    status: text(body['status']),
    checkpoint_count: count,
    continuation_id: continuationId,
    current_node_id: textOrNull(body['current_node_id']),
    current_step_index: integerOrNull(body['current_step_index']),
    error: errorText(body['error']),
    recoverable: continuationId !== null || count > 0,
    visited_nodes: textsOf(body['visited_nodes']),
  };
}

/** The saved states of a run as a list of labels. */
export function toReplay(body: Source): RunReplay {
  return {
    run_id: text(body['run_id']),
    status: text(body['status']),
    checkpoint_count: integerOrNull(body['checkpoint_count']) ?? 0,
    timeline: objectsOf(body['timeline']).map((item) => ({
      sequence: integerOrNull(item['sequence']),
      label: firstText(item['label'], item['type'], item['name']) ?? '(step)',
      node: firstText(item['node_id'], item['step_id'], item['node']),
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

function singles(list: unknown): CheckpointDiff['added'] {
  return objectsOf(list).flatMap((entry) => {
    const key = keyOf(entry);
    if (key === null) return [];
    return { key, value: valueText(entry['value']), from_value: null, to_value: null };
  });
}

function changes(list: unknown): CheckpointDiff['changed'] {
  return objectsOf(list).flatMap((entry) => {
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
  body: Source,
  asked: { readonly from: number | undefined; readonly to: number | undefined },
): CheckpointDiff {
  const added = singles(body['added']);
  const changed = changes(body['changed']);
  const removed = singles(body['removed']);
  const sequence = (name: string): number | null => integerOrNull(objectOf(body[name])['sequence']);
  return {
    added,
    changed,
    removed,
    change_count:
      integerOrNull(body['change_count']) ?? added.length + changed.length + removed.length,
    from_sequence: asked.from ?? sequence('from_checkpoint'),
    to_sequence: asked.to ?? sequence('to_checkpoint'),
    truncated: body['truncated'] === true,
  };
}
