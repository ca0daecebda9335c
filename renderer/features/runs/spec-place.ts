import { isObject } from '../../../server/kernel/json.ts';
import type { RunFacts } from './run-facts.ts';

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

const LISTS = ['steps', 'participants'];

/** Where a step stands in the document of its spec; null when the spec does not name it. */
export function stepPlace(spec: Fields, step: string): string | null {
  const workflow = fieldsOf(spec['workflow']);
  if (Object.hasOwn(fieldsOf(workflow['nodes']), step)) {
    return `workflow.nodes.${step}`;
  }
  for (const name of LISTS) {
    const list = workflow[name];
    const at = Array.isArray(list) ? list.findIndex((item) => fieldsOf(item)['id'] === step) : -1;
    if (at >= 0) {
      return `workflow.${name}[${at}]`;
    }
  }
  return null;
}

/** What a limit of the run is called in its spec. */
function limitPlace(spec: Fields): string | null {
  const workflow = fieldsOf(spec['workflow']);
  const name = workflow['type'] === 'graph' ? 'max_steps' : 'max_iterations';
  return workflow['type'] === undefined ? null : name in workflow ? `workflow.${name}` : 'workflow';
}

/** The place of the limit that ended a run; null when none did. */
export function limitReached({ spec, errorType }: Pick<RunFacts, 'spec' | 'errorType'>) {
  return errorType === 'max_iterations' ? limitPlace(spec) : null;
}

/** The place in the spec that a failure speaks of: the one it names, its limit, or where it stopped. */
export function failurePlace(
  spec: Fields,
  run: { readonly current_node_id: string | null },
  { errorType, errorPath }: Pick<RunFacts, 'errorType' | 'errorPath'>,
): string | null {
  if (errorPath !== null) {
    return errorPath;
  }
  const limit = limitReached({ spec, errorType });
  if (limit !== null) {
    return limit;
  }
  return run.current_node_id === null ? null : stepPlace(spec, run.current_node_id);
}
