import type {
  Entry,
  Graph,
  Loss,
  Node,
  NodePayload,
  Output,
  Tool,
  ToolBinding,
  Waypoint,
} from '../graph-ir.ts';
import type { SecretHit } from '../hidden-secrets.ts';
import { checkElements } from '../limits.ts';
import { isPlainPlaceholder } from '../placeholders.ts';
import type { Value } from '../value.ts';
import { readConnections } from './connections.ts';
import { type N8nDocument, type N8nNode, NOTE_TYPE } from './document.ts';
import { loadN8n } from './load.ts';
import { withErrorOutput } from './outputs.ts';
import { calledWorkflow, roleOf } from './roles.ts';
import type {
  FlowElements,
  N8nProfile,
  NodeReader,
  Role,
  RoleRow,
  Scene,
  Wiring,
} from './scene.ts';
import { findSecrets } from './secrets.ts';
import { indexWiring } from './wiring.ts';

const ONE_OUTPUT: readonly Output[] = [{ position: 0, role: 'default' }];

function rolesOf(wiring: Wiring, rows: readonly RoleRow[]): ReadonlyMap<string, Role> {
  return new Map(wiring.doc.nodes.map((node) => [node.id, roleOf(node, wiring, rows)]));
}

function buildScene(doc: N8nDocument, asked: N8nProfile): Scene {
  const wiring = indexWiring(doc);
  const { items } = asked;
  const ofItems = items?.rolesOf(wiring);
  const profile = items === undefined || ofItems === undefined ? asked : items.profile;
  const roles = ofItems ?? rolesOf(wiring, profile.roles);
  const outputs = new Map<string, readonly Output[]>();
  const scene: Scene = {
    ...wiring,
    profile,
    roles,
    outputs,
    losses: [],
    folded: new Map(),
    literals: new Set(),
  };
  for (const node of doc.nodes) {
    const role = roles.get(node.id);
    const regular = role?.role === 'node' ? role.reader.outputs?.(node, scene) : undefined;
    const base = regular ?? ONE_OUTPUT;
    const written = doc.mainPorts.get(node.id) ?? 0;
    outputs.set(node.id, node.disabled ? base : withErrorOutput(node, base, written));
  }
  return scene;
}

function quietLoss(node: N8nNode, role: Role, scene: Scene): Loss | undefined {
  if (role.role !== 'note' && role.role !== 'deactivated') return undefined;
  if (scene.profile.readsQuiet) {
    for (const hit of secretHits(node, scene.profile)) scene.literals.add(hit.text);
  }
  if (role.role === 'note') {
    const detail = 'A note on the canvas; it has no effect on a run.';
    return { ref: node.ref, kind: 'annotation', detail };
  }
  const detail = `"${node.name}" is switched off in the source and does nothing there.`;
  return { ref: node.ref, kind: 'deactivated_node', detail };
}

/** What stands under a secret's name, then what the profile finds elsewhere. */
function secretHits(
  node: N8nNode,
  { looksSecret, hiddenSecrets }: N8nProfile,
): readonly SecretHit[] {
  const named = findSecrets(node, looksSecret);
  if (named.length === 0) return hiddenSecrets(node);
  const known = new Set(named.map((hit) => hit.text));
  return [...named, ...hiddenSecrets(node).filter((hit) => !known.has(hit.text))];
}

function secretLosses(node: N8nNode, scene: Scene): Loss[] {
  const { placeholderLoss } = scene.profile;
  const placeholders: string[] = [];
  const losses: Loss[] = [];
  for (const { path, text } of secretHits(node, scene.profile)) {
    if (placeholderLoss !== undefined && isPlainPlaceholder(text)) {
      placeholders.push(path);
      continue;
    }
    scene.literals.add(text);
    const detail = `"${node.name}" holds a credential as plain text at ${path}; it was left out.`;
    losses.push({ ref: node.ref, kind: 'inline_secret', detail });
  }
  const told = placeholders.length === 0 ? undefined : placeholderLoss?.(node, placeholders);
  return told === undefined ? losses : [...losses, told];
}

function roleLosses(node: N8nNode, role: Role, scene: Scene): Loss[] {
  if (role.role === 'model') return scene.profile.modelLosses(node, scene);
  if (role.role === 'node') return role.reader.losses?.(node, scene) ?? [];
  return 'losses' in role ? (role.losses?.(node, scene) ?? []) : [];
}

function nodePass(scene: Scene): string[] {
  const credentials: string[] = [];
  for (const node of scene.doc.nodes) {
    const role = scene.roles.get(node.id);
    if (role === undefined) continue;
    const quiet = quietLoss(node, role, scene);
    if (quiet !== undefined) {
      scene.losses.push(quiet);
      continue;
    }
    credentials.push(...node.credentials.values());
    scene.losses.push(...scene.profile.versionLosses(node));
    scene.losses.push(...secretLosses(node, scene));
    scene.losses.push(...roleLosses(node, role, scene));
  }
  return credentials;
}

function attachmentPass(scene: Scene): Loss[] {
  const out: Loss[] = [];
  const seen = new Set<string>();
  for (const link of scene.attachments) {
    const loss = scene.profile.attachmentLoss(link, scene);
    if (loss === undefined) continue;
    const once = JSON.stringify([link.source.id, link.target.id, loss.kind]);
    if (seen.has(once)) continue;
    seen.add(once);
    out.push(loss);
  }
  return out;
}

interface Elements extends FlowElements {
  readonly nodes: Node[];
  readonly waypoints: Waypoint[];
  readonly entries: Entry[];
  readonly tools: Tool[];
}

function payloadOf(node: N8nNode, role: Role, scene: Scene): NodePayload {
  return role.role === 'node' ? role.reader.payload(node, scene) : { kind: 'deactivated' };
}

function buildNode(node: N8nNode, role: Role, outputs: readonly Output[], scene: Scene): Node {
  const step = role.role === 'node' ? role.reader.step?.(node, scene) : undefined;
  const base = {
    id: node.id,
    name: node.name,
    ref: node.ref,
    payload: payloadOf(node, role, scene),
    outputs,
  };
  const gathers = role.role === 'node' && role.reader.gathers === true;
  return {
    ...base,
    ...(step === undefined ? {} : { step }),
    ...(gathers ? { gathers } : {}),
  };
}

function backingAgent(node: N8nNode, reader: NodeReader, scene: Scene): Tool['agent'] {
  const payload = reader.payload(node, scene);
  if (payload.kind !== 'agent' && payload.kind !== 'model_call') return undefined;
  const { id, name, ref } = node;
  return { node: { id, name, ref, payload, outputs: [] }, payload };
}

function buildTool(node: N8nNode, role: Role, scene: Scene): Tool | undefined {
  if (role.role !== 'tool') return undefined;
  const base = { id: node.id, name: node.name, kind: role.kind, ref: node.ref };
  const definition = role.definition?.(node, scene);
  const agent = role.agent === undefined ? undefined : backingAgent(node, role.agent, scene);
  return {
    ...base,
    ...(definition === undefined ? {} : { definition }),
    ...(role.settings === undefined ? {} : { settings: role.settings(node) }),
    ...(role.lacks === undefined ? {} : { lacks: role.lacks }),
    ...(agent === undefined ? {} : { agent }),
    ...(role.server === undefined ? {} : { server: role.server }),
    ...(role.workflow === undefined
      ? {}
      : { workflow: role.workflow, calls: calledWorkflow(node) }),
    ...(role.called === undefined ? {} : { called: role.called }),
  };
}

function addElement(
  elements: Elements,
  node: N8nNode,
  scene: Scene,
  extra: readonly Output[],
): void {
  const role = scene.roles.get(node.id);
  if (role === undefined || role.role === 'model') return;
  const outputs = [...(scene.outputs.get(node.id) ?? ONE_OUTPUT), ...extra];
  const wired = scene.doc.onMain.has(node.id);
  if (role.role === 'node' || (role.role === 'deactivated' && wired)) {
    elements.nodes.push(buildNode(node, role, outputs, scene));
    return;
  }
  if (role.role === 'entry') {
    const { mechanism } = role;
    const entry = { id: node.id, ref: node.ref, mechanism, outputs };
    elements.entries.push({ ...entry, basis: 'declared', inferredTarget: null });
    return;
  }
  const tool = buildTool(node, role, scene);
  if (tool !== undefined) elements.tools.push(tool);
  if (wired && role.role !== 'deactivated') {
    elements.waypoints.push({ id: node.id, ref: node.ref, outputs });
  }
}

/** True for everything but a model inside of its parents and what is switched off beside the flow. */
function hasOwnRole(node: N8nNode, scene: Scene): boolean {
  const role = scene.roles.get(node.id)?.role;
  return role !== 'model' && (role !== 'deactivated' || scene.doc.onMain.has(node.id));
}

function bindingsOf(scene: Scene): ToolBinding[] {
  return scene.attachments
    .filter(
      ({ type, source, target }) =>
        type === 'ai_tool' && hasOwnRole(source, scene) && hasOwnRole(target, scene),
    )
    .map(({ source, target }) => ({ agentId: target.id, toolId: source.id }));
}

function inferEntry(elements: Elements, declared: number): Entry | undefined {
  const [only] = elements.nodes;
  if (declared !== 1 || elements.nodes.length !== 1 || only === undefined) return undefined;
  return {
    id: `entry:${only.id}`,
    ref: only.ref,
    mechanism: 'unknown',
    basis: 'inferred',
    outputs: ONE_OUTPUT,
    inferredTarget: only.id,
  };
}

function absenceOf(scene: Scene): 'absent' | 'unknown' {
  for (const role of scene.roles.values()) {
    if (role.role === 'node' && role.reader.mayStart === true) return 'unknown';
  }
  return 'absent';
}

/** What a conversion of an n8n export gives: the neutral graph and what it was made from. */
export interface N8nConversion {
  readonly graph: Graph;
  readonly scene: Scene;
}

/** Converts a parsed n8n export into the neutral graph (importers 4). */
export function convertN8n(root: Value, profile: N8nProfile): N8nConversion {
  const mended = profile.repair(root);
  const doc = loadN8n(mended.root);
  const scene = buildScene(doc, profile);
  scene.losses.push(...mended.repairs);
  const credentials = nodePass(scene);
  scene.losses.push(...scene.profile.strandedLosses(scene));
  scene.losses.push(...attachmentPass(scene));
  const flow = readConnections(scene);
  checkElements(doc.nodes.filter((node) => node.type !== NOTE_TYPE).length);
  scene.losses.push(...flow.losses);
  for (const pass of scene.profile.passes) scene.losses.push(...pass(scene));

  const elements: Elements = { nodes: [], waypoints: [], entries: [], tools: [] };
  for (const node of doc.nodes) {
    addElement(elements, node, scene, flow.undeclared.get(node.id) ?? []);
  }
  const declaredElements = doc.nodes.filter((n) => scene.roles.get(n.id)?.role !== 'note').length;
  const inferred =
    elements.entries.length === 0 ? inferEntry(elements, declaredElements) : undefined;
  if (inferred !== undefined) elements.entries.push(inferred);
  const own = scene.profile;
  const nodes = own.finish(elements.nodes, scene);
  const items = own.flow?.({ ...elements, nodes }, scene);
  const graph: Graph = {
    source: 'n8n',
    arrival: 'each',
    ...(items === undefined ? {} : { items }),
    nodes,
    waypoints: elements.waypoints,
    entries: elements.entries,
    entryAbsence: elements.entries.length === 0 ? absenceOf(scene) : null,
    connections: flow.connections,
    tools: elements.tools,
    bindings: bindingsOf(scene),
    credentials,
    losses: scene.losses,
    declaredElements,
    literals: scene.literals,
  };
  return { graph, scene };
}
