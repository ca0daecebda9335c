import type { Loss } from '../../graph-ir.ts';
import type { N8nNode } from '../document.ts';
import { carriedRunSettings } from '../extended/run-settings.ts';
import type { N8nProfile, Role, Scene } from '../scene.ts';
import { itemFlowOf } from './flow.ts';
import { rowOf } from './handled.ts';
import { refusedSettings } from './refused-settings.ts';
import { ITEM_ROWS, isHandled } from './rows.ts';
import { emptyAddresses, mixedInPlace, partialConditions } from './side-effects.ts';

/** A newer version of a type with a handler, which runs by the rules of the newest known one. */
function newerVersion(node: N8nNode, newest: number): Loss[] {
  if (node.version <= newest) return [];
  const detail = `"${node.name}" has version ${node.version} of ${node.type}; it runs by the rules of version ${newest}.`;
  const todo = 'Compare what it gives with the source.';
  return [{ ref: node.ref, kind: 'version_assumed', severity: 'manual', detail, todo }];
}

function placeholderLoss(node: N8nNode, paths: readonly string[]): Loss {
  const detail = `"${node.name}" holds a placeholder where a credential belongs (${paths.join(', ')}); the draft has it as it is.`;
  const todo = 'Store the credential on the platform and refer to it.';
  return { ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo };
}

/** True for an element that a built-in handler carries out, as a step or as a tool. */
function runsByHandler(role: Role | undefined): boolean {
  return isHandled(role) || (role?.role === 'tool' && role.settings !== undefined);
}

/** One gap for each credential that steps and tools with a handler use. */
function bindings(scene: Scene): Loss[] {
  const users = new Map<string, { type: string; name: string; nodes: N8nNode[] }>();
  for (const node of scene.doc.nodes) {
    if (!runsByHandler(scene.roles.get(node.id))) continue;
    for (const [type, name] of node.credentials) {
      const key = `${type} ${name}`;
      const one = users.get(key) ?? { type, name, nodes: [] };
      users.set(key, one);
      one.nodes.push(node);
    }
  }
  return [...users.values()].flatMap(({ type, name, nodes }) => {
    const [first, ...more] = nodes;
    if (first === undefined) return [];
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    const detail = `"${first.name}"${others} uses the credential "${name}" (${type}); the draft names it and holds nothing of it.`;
    const todo = 'Bind it to a stored secret.';
    return [{ ref: first.ref, kind: 'carried_as', severity: 'manual', detail, todo }];
  });
}

/** The conversion of a document whose flow carries items, made of the one for texts (importers 14). */
export function itemProfile(texts: N8nProfile, finish: N8nProfile['finish']): N8nProfile {
  return {
    ...texts,
    roles: ITEM_ROWS,
    versionLosses: (node) => {
      const row = rowOf(node);
      return row === undefined ? texts.versionLosses(node) : newerVersion(node, row.versions[1]);
    },
    placeholderLoss,
    passes: [
      carriedRunSettings,
      bindings,
      partialConditions,
      mixedInPlace,
      emptyAddresses,
      refusedSettings,
    ],
    errorRouteLoss: (node, scene) => {
      const role = scene.roles.get(node.id);
      const isHere = role?.role === 'node' && role.reader.harmless === true;
      return isHere ? undefined : texts.errorRouteLoss(node, scene);
    },
    finish,
    flow: itemFlowOf,
  };
}
