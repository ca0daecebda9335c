import type { JsonObject } from '../../../kernel/json.ts';
import type { Loss } from '../../graph-ir.ts';
import { BASE, type N8nNode } from '../document.ts';
import { continuesOnFailure, describeRunSettings, effectiveTries } from '../run-settings.ts';
import type { Scene } from '../scene.ts';

function hasErrorOutput(node: N8nNode): boolean {
  return node.onError === 'continueErrorOutput';
}

/** What a step does on a failure, from the run-time settings of its element (importers 14). */
export function stepSettings(node: N8nNode): JsonObject | undefined {
  const out: JsonObject = {};
  const goesOn = continuesOnFailure(node) || hasErrorOutput(node);
  if (goesOn) out['on_error'] = 'continue';
  else if (node.retryOnFail) out['on_error'] = 'retry';
  if (node.retryOnFail) out['max_retries'] = effectiveTries(node) - 1;
  return Object.keys(out).length === 0 ? undefined : out;
}

function isErrorWired(node: N8nNode, scene: Scene): boolean {
  const error = scene.outputs.get(node.id)?.find((output) => output.role === 'error');
  const links = scene.mainFrom.get(node.id) ?? [];
  return error !== undefined && links.some((link) => link.port === error.position);
}

/** What the step of the draft does in the place of the settings of its element. */
function stepWords(node: N8nNode, isLost: boolean, scene: Scene): string {
  const words: string[] = [];
  if (continuesOnFailure(node)) words.push('the step goes on after a failure');
  if (isLost) words.push('the step goes on after a failure as if there was none');
  if (node.retryOnFail) words.push('retries come without a pause');
  if (node.alwaysOutputData) words.push('a step always passes something on');
  if (node.executeOnce) {
    const isOfItems = scene.profile.flow !== undefined;
    words.push(isOfItems ? 'it runs for each item' : 'a step runs once for each arrival');
  }
  return words.join('; ');
}

const DECISIONS: ReadonlySet<string> = new Set([`${BASE}if`, `${BASE}switch`]);

/** A decision on edges has no place for run-time settings. */
function decisionLoss(node: N8nNode, said: string): Loss {
  const detail = `${said} The draft decides on edges, each time that the step before them ends; nothing there fails or is tried again.`;
  const todo = 'Check that this is what is meant.';
  const loss = { ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
  return { ...loss, about: 'run' };
}

/** Says which run-time settings became settings of the step; routing elements lose theirs. */
export function carriedRunSettings(scene: Scene): Loss[] {
  const out: Loss[] = [];
  for (const node of scene.doc.nodes) {
    const role = scene.roles.get(node.id);
    if (role?.role !== 'node') continue;
    const isLost = hasErrorOutput(node) && !isErrorWired(node, scene);
    const words = describeRunSettings(node, isLost);
    if (words.length === 0) continue;
    const said = `In the source "${node.name}" ${words.join('; ')}.`;
    if (role.reader.step === undefined) {
      if (role.reader.harmless === true) {
        if (DECISIONS.has(node.type)) out.push(decisionLoss(node, said));
        continue;
      }
      out.push({ ref: node.ref, kind: 'execution_setting', detail: said, about: 'run' });
      continue;
    }
    const detail = `${said} In the draft ${stepWords(node, isLost, scene)}.`;
    const todo = 'Check that this is what is meant.';
    const loss = { ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
    out.push({ ...loss, about: 'run' });
  }
  return out;
}

/** A failure route that became a condition on the step's outcome. */
export function carriedErrorRoute(node: N8nNode, scene: Scene): Loss {
  const role = scene.roles.get(node.id);
  const isStep = role?.role === 'node' && role.reader.step !== undefined;
  if (!isStep) {
    const detail = `Failures of "${node.name}" take a route of their own in the source; no step stands for it.`;
    return { ref: node.ref, kind: 'error_route_not_carried', detail, about: 'run' };
  }
  const detail = `Failures of "${node.name}" take a route of their own; in the draft the edge has the condition that the step failed.`;
  const todo = 'Check the route; the text that arrives there is the input of the failed step.';
  const loss = { ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
  return { ...loss, about: 'run' };
}
