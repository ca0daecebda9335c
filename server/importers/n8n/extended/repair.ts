import type { Loss } from '../../graph-ir.ts';
import { unparseable } from '../../source-refused.ts';
import { at, type Value } from '../../value.ts';
import { mendLinks } from './repair-links.ts';
import { mendNodes } from './repair-nodes.ts';

/** The workflow of a file: itself, a single one in a list, or one wrapped by a backup tool. */
export function workflowOf(root: Value): Value | undefined {
  const candidates: (Value | undefined)[] = [
    root,
    Array.isArray(root) && root.length === 1 ? root[0] : undefined,
    at(root, 'workflow'),
    at(root, 'data'),
    at(root, 'workflowData'),
  ];
  return candidates.find((value) => Array.isArray(at(value, 'nodes')));
}

/** Members that say how the workflow runs; what of them cannot be read counts as absent. */
const RUN_MEMBERS = ['name', 'settings', 'pinData'];

/** Mends what files that people keep and edit often have wrong (importers 14). */
export function repairDocument(root: Value): { root: Value; repairs: Loss[] } {
  const workflow = workflowOf(root);
  const list = at(workflow, 'nodes');
  if (!Array.isArray(list)) {
    throw unparseable('The file is not an n8n workflow export: it has no list of nodes.', {
      field: 'nodes',
      locator: '$.nodes',
    });
  }
  const mended = mendNodes(list);
  const { connections, repairs } = mendLinks(at(workflow, 'connections'), mended.nodes);
  const document = new Map<string, Value>([
    ['nodes', mended.nodes],
    ['connections', connections],
  ]);
  for (const key of RUN_MEMBERS) {
    const value = at(workflow, key);
    if (value !== undefined) document.set(key, value);
  }
  return { root: document, repairs: [...mended.repairs, ...repairs] };
}
