import {
  allNodes,
  type Entry,
  type Graph,
  type Loss,
  type Node,
  type NodePayload,
  type Tool,
  type ToolBinding,
  type Waypoint,
} from '../graph-ir.ts';
import { checkElements } from '../limits.ts';
import { isStep } from '../lowering/step-nodes.ts';
import type { Value } from '../value.ts';
import { answerLosses } from './answers.ts';
import { type Containers, findContainers } from './containers.ts';
import { type DifyDocument, type DifyNode, isGraphMode } from './document.ts';
import { type OutputTable, readEdges } from './edges.ts';
import { featureLosses } from './features.ts';
import { suitsItems } from './items/handled.ts';
import { loadDify } from './load.ts';
import { hasFailBranch } from './run-settings.ts';
import type { DifyProfile, DifyRole, DifyScene, HandledOutput } from './scene.ts';
import { secretLosses } from './secrets.ts';

function emptyGraph(literals: ReadonlySet<string>): Graph {
  return {
    source: 'dify',
    arrival: 'join',
    nodes: [],
    waypoints: [],
    entries: [],
    entryAbsence: 'unknown',
    connections: [],
    tools: [],
    bindings: [],
    credentials: [],
    losses: [],
    declaredElements: 1,
    literals,
  };
}

interface Placed {
  readonly node: DifyNode;
  readonly role: DifyRole;
  /** The content of a container, when it is carried. */
  readonly body?: Graph;
}

/** The content of a container as an app of its own; undefined when it cannot be carried. */
function bodyOf(node: DifyNode, role: DifyRole, scene: DifyScene): Graph | undefined {
  const contained = role.role === 'node' ? role.contained : undefined;
  const members = new Set(scene.containers.members.get(node.id) ?? []);
  if (contained === undefined || members.size === 0) return undefined;
  const nodes = scene.doc.nodes
    .filter((member) => members.has(member.id))
    .map((member) => (member.parent === node.id ? { ...member, parent: null } : member));
  const edges = scene.doc.edges.filter(
    (edge) => members.has(edge.source ?? '') && members.has(edge.target ?? ''),
  );
  const roleInside = (member: DifyNode, inner: DifyScene): DifyRole =>
    contained.member(member) ?? scene.profile.roleOf(member, inner);
  const profile = { ...scene.profile, roleOf: roleInside };
  const doc = { ...scene.doc, nodes, edges, features: new Map() };
  const graph = profile.finish(convertGraph(doc, profile, emptyGraph(scene.literals)));
  const isStopped = allNodes(graph).some(
    ({ payload }) => payload.kind === 'component' && payload.step === 'human',
  );
  return isStopped || !graph.nodes.some(isStep) ? undefined : graph;
}

function placedNodes(doc: DifyDocument, scene: DifyScene): Placed[] {
  return doc.nodes
    .filter((node) => !node.isNote && !scene.containers.outermost.has(node.id))
    .map((node) => {
      const role = scene.profile.roleOf(node, scene);
      const body = bodyOf(node, role, scene);
      return body === undefined ? { node, role } : { node, role, body };
    });
}

function lossesOf({ node, role, body }: Placed, scene: DifyScene): readonly Loss[] {
  if (body === undefined || role.role !== 'node' || role.contained === undefined) {
    return role.losses?.(node, scene) ?? [];
  }
  return [...role.contained.losses(node), ...body.losses];
}

function payloadOf(placed: Placed, scene: DifyScene): NodePayload | undefined {
  const { node, role, body } = placed;
  if (role.role !== 'node') return undefined;
  const carried = body === undefined ? undefined : role.contained?.payload(node, body);
  return carried ?? role.payload(node, scene);
}

function outputsOf({ node, role }: Placed, scene: DifyScene): HandledOutput[] {
  const selecting = role.role === 'node' ? role.outputs?.(node, scene) : undefined;
  if (selecting !== undefined) return selecting;
  const outputs: HandledOutput[] = [{ handle: 'source', position: 0, role: 'default' }];
  if (role.role === 'node' && hasFailBranch(node)) {
    outputs.push({ handle: 'fail-branch', position: 1, role: 'error' });
  }
  return outputs;
}

function isSelecting({ node, role }: Placed): boolean {
  return role.role === 'node' && (role.outputs !== undefined || hasFailBranch(node));
}

function isSpeaker({ node, role }: Placed): boolean {
  const known = role.role === 'node' && role.opaque !== true;
  return known && (node.type === 'llm' || node.type === 'agent');
}

function elementLosses(doc: DifyDocument, placed: readonly Placed[], scene: DifyScene): Loss[] {
  const elements = new Map(placed.map((item) => [item.node.id, item]));
  const out: Loss[] = [];
  for (const node of doc.nodes) {
    if (node.isNote) {
      const detail = 'A note on the canvas; it has no effect on a run.';
      out.push({ ref: node.ref, kind: 'annotation', detail });
    }
    const item = elements.get(node.id);
    if (item !== undefined) out.push(...lossesOf(item, scene));
  }
  return out;
}

interface Elements {
  readonly nodes: Node[];
  readonly waypoints: Waypoint[];
  readonly entries: Entry[];
  readonly tools: Tool[];
  readonly bindings: ToolBinding[];
}

function addNode(out: Elements, item: Placed, base: Waypoint, scene: DifyScene): void {
  const { node, role, body } = item;
  const payload = payloadOf(item, scene);
  if (payload === undefined || role.role !== 'node') return;
  const step = role.step?.(node);
  const made = { ...base, name: node.title, payload };
  out.nodes.push(step === undefined ? made : { ...made, step });
  const tools = role.tools?.(node) ?? [];
  out.tools.push(...tools, ...(body?.tools ?? []));
  out.bindings.push(...tools.map((tool) => ({ agentId: node.id, toolId: tool.id })));
  out.bindings.push(...(body?.bindings ?? []));
}

function buildElements(placed: readonly Placed[], table: OutputTable, scene: DifyScene): Elements {
  const out: Elements = { nodes: [], waypoints: [], entries: [], tools: [], bindings: [] };
  for (const item of placed) {
    const { node, role } = item;
    const base = { id: node.id, ref: node.ref, outputs: table.outputs.get(node.id) ?? [] };
    if (role.role === 'entry') {
      const { mechanism } = role;
      out.entries.push({ ...base, mechanism, basis: 'declared', inferredTarget: null });
    } else if (role.role === 'waypoint') out.waypoints.push(base);
    else addNode(out, item, base, scene);
  }
  return out;
}

function runLosses(
  placed: readonly Placed[],
  graph: Pick<Graph, 'connections'>,
  table: OutputTable,
  scene: DifyScene,
): Loss[] {
  const out: Loss[] = [];
  for (const { node, role } of placed) {
    if (role.role !== 'node') continue;
    const error = table.outputs.get(node.id)?.find((output) => output.role === 'error');
    const wired =
      error !== undefined &&
      graph.connections.some((c) => c.source === node.id && c.position === error.position);
    const losses = scene.profile.runLosses(node, wired);
    if (role.opaque !== true) out.push(...losses);
    else if (wired) out.push(...losses.slice(0, 1));
  }
  return out;
}

function convertGraph(doc: DifyDocument, profile: DifyProfile, base: Graph): Graph {
  const containers: Containers = findContainers(doc.nodes);
  const scene: DifyScene = { doc, profile, containers, literals: new Set() };
  const placed = placedNodes(doc, scene);
  const table: OutputTable = {
    outputs: new Map(placed.map((item) => [item.node.id, outputsOf(item, scene)])),
    selecting: new Set(placed.filter(isSelecting).map((item) => item.node.id)),
  };
  const losses = [...base.losses, ...featureLosses(doc)];
  losses.push(...elementLosses(doc, placed, scene));
  const edges = readEdges(doc, containers, table);
  losses.push(...edges.losses);
  const elements = buildElements(placed, table, scene);
  const branches = new Set(
    placed.filter(({ role }) => role.role === 'node' && role.outputs).map(({ node }) => node.id),
  );
  const speakers = new Set(placed.filter(isSpeaker).map(({ node }) => node.id));
  losses.push(
    ...answerLosses({
      nodes: new Map(placed.map(({ node }) => [node.id, node])),
      connections: edges.connections,
      entries: elements.entries.map((entry) => entry.id),
      choosers: placed.filter(isSelecting).map(({ node }) => node.id),
      isBranch: (id) => branches.has(id),
      isSpeaker: (id) => speakers.has(id),
    }),
    ...runLosses(placed, edges, table, scene),
  );
  const mayStart = placed.some(({ role }) => role.role === 'node' && role.mayStart === true);
  const absence = mayStart ? 'unknown' : 'absent';
  return {
    ...base,
    ...elements,
    connections: edges.connections,
    entryAbsence: elements.entries.length === 0 ? absence : null,
    losses,
    declaredElements: doc.nodes.filter((node) => !node.isNote).length,
  };
}

function packagedAgent(doc: DifyDocument): Loss {
  const ref = { source_id: 'app', source_label: doc.name, locator: '$.app' };
  const detail = `"${doc.name}" is a packaged agent whose content is not in the file.`;
  return { ref, kind: 'proprietary_node', detail };
}

/** What a conversion of a Dify app gives: the neutral graph and the document it came from. */
export interface DifyConversion {
  readonly graph: Graph;
  readonly doc: DifyDocument;
}

/** Converts a parsed Dify app into the neutral graph (importers 5). */
export function convertDify(root: Value, profile: DifyProfile): DifyConversion {
  const doc = loadDify(root);
  checkElements(doc.nodes.filter((node) => !node.isNote).length);
  const literals = new Set<string>();
  const base: Graph = {
    ...emptyGraph(literals),
    losses: secretLosses(doc, literals, profile),
  };
  if (doc.mode === 'agent') {
    return { doc, graph: { ...base, losses: [...base.losses, packagedAgent(doc)] } };
  }
  if (isGraphMode(doc.mode) && profile.flow !== undefined && suitsItems(doc)) {
    const containers = findContainers(doc.nodes);
    const scene: DifyScene = { doc, profile, containers, literals };
    return { doc, graph: profile.flow(doc, scene, base) };
  }
  if (isGraphMode(doc.mode)) {
    return { doc, graph: profile.finish(convertGraph(doc, profile, base)) };
  }
  const graph = profile.finish({ ...base, ...profile.configApp(doc, base.losses) });
  return { doc, graph: profile.formFlow?.(doc, graph) ?? graph };
}
