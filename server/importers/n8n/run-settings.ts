import type { Loss } from '../graph-ir.ts';
import type { N8nNode } from './document.ts';
import type { Scene } from './scene.ts';

const DEFAULT_TRIES = 3;
const DEFAULT_WAIT_MS = 1000;

/** Number of tries that the source makes; zero counts as unset. */
export function effectiveTries(node: N8nNode): number {
  return Math.min(5, Math.max(2, node.maxTries || DEFAULT_TRIES));
}

/** Pause between two tries in milliseconds; zero counts as unset. */
export function effectiveWait(node: N8nNode): number {
  return Math.min(5000, Math.max(0, node.waitBetweenTries || DEFAULT_WAIT_MS));
}

/** True when the node is told to go on after a failure by its ordinary output. */
export function continuesOnFailure(node: N8nNode): boolean {
  return node.onError === 'continueRegularOutput' || node.continueOnFail;
}

/** True when the error output is switched on and leads nowhere. */
function hasUnwiredErrorOutput(node: N8nNode, scene: Scene): boolean {
  if (node.onError !== 'continueErrorOutput') return false;
  return !scene.losses.some(
    (loss) => loss.kind === 'error_route_not_carried' && loss.ref.source_id === node.id,
  );
}

/** The settings of a node that steer its run, in words. */
export function describeRunSettings(node: N8nNode, unwiredError: boolean): string[] {
  const out: string[] = [];
  if (continuesOnFailure(node)) out.push('continues after a failure');
  if (unwiredError) out.push('sends failures to an error output that leads nowhere');
  if (node.retryOnFail) {
    out.push(`tries up to ${effectiveTries(node)} times, ${effectiveWait(node)} ms apart`);
  }
  if (node.alwaysOutputData) out.push('always passes something on, even when it has no result');
  if (node.executeOnce) out.push('runs once, whatever the number of items');
  return out;
}

/** One loss for each known node with run-time settings (importers 4.8). */
export function runSettingLosses(scene: Scene): Loss[] {
  const out: Loss[] = [];
  for (const node of scene.doc.nodes) {
    const role = scene.roles.get(node.id);
    if (role?.role !== 'node' || role.reader.mayStart === true) continue;
    const words = describeRunSettings(node, hasUnwiredErrorOutput(node, scene));
    if (words.length === 0) continue;
    const detail = `In the source "${node.name}" ${words.join('; ')}.`;
    out.push({ ref: node.ref, kind: 'execution_setting', detail });
  }
  return out;
}
