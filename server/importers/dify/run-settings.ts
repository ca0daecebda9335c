import type { Loss } from '../graph-ir.ts';
import { at } from '../value.ts';
import type { DifyNode } from './document.ts';

/** True when failures of the node take an output of their own. */
export function hasFailBranch(node: DifyNode): boolean {
  return node.data.get('error_strategy') === 'fail-branch';
}

/** Failure routes and retries of a placed node (importers 5.5). */
export function runLosses(node: DifyNode, wiredFailure: boolean): Loss[] {
  const { ref, title } = node;
  const out: Loss[] = [];
  if (wiredFailure) {
    const detail = `Failures of "${title}" take a route of their own in the source; in the draft it is an ordinary edge.`;
    out.push({ ref, kind: 'error_route_not_carried', detail, about: 'run' });
  } else if (hasFailBranch(node)) {
    const detail = `Failures of "${title}" go to an output that leads nowhere.`;
    out.push({ ref, kind: 'execution_setting', detail, about: 'run' });
  } else if (node.data.get('error_strategy') === 'default-value') {
    const detail = `When "${title}" fails, the source goes on with a value written there.`;
    out.push({ ref, kind: 'execution_setting', detail, about: 'run' });
  }
  if (at(node.data.get('retry_config'), 'retry_enabled') === true) {
    const retries = at(node.data.get('retry_config'), 'max_retries');
    const detail = `"${title}" is tried again after a failure (${String(retries ?? 'default')} times).`;
    out.push({ ref, kind: 'execution_setting', detail, about: 'run' });
  }
  return out;
}
