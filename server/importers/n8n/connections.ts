import type { Connection, Loss, Output } from '../graph-ir.ts';
import { unparseable } from '../source-refused.ts';
import type { N8nLink, N8nNode } from './document.ts';
import type { Scene } from './scene.ts';

/** Connections in rank order, the losses met on the way, outputs that were written beyond the known. */
export interface ReadConnections {
  readonly connections: Connection[];
  readonly losses: Loss[];
  readonly undeclared: ReadonlyMap<string, readonly Output[]>;
}

function outputOf(node: N8nNode, port: number, scene: Scene): Output | undefined {
  return scene.outputs.get(node.id)?.find(({ position }) => position === port);
}

/** False for an output that the node does not have, or does not use while it is switched off. */
function passesFlow(node: N8nNode, port: number, scene: Scene): boolean {
  if (node.disabled) return port === 0;
  return !isClosed(node, scene) || outputOf(node, port, scene) !== undefined;
}

/** True for a wire that flow takes: it uses an output that is there, and no model is at its ends. */
export function leadsFlow(source: N8nNode, port: number, target: N8nNode, scene: Scene): boolean {
  return passesFlow(source, port, scene) && !isModel(source, scene) && !isModel(target, scene);
}

/** What an edge calls an output of a node; null for the only one that the file has. */
export function outputLabel(node: N8nNode, port: number, scene: Scene): string | null {
  if (outputOf(node, port, scene)?.role === 'error') return 'error';
  const written = scene.doc.mainPorts.get(node.id) ?? 0;
  return written > 1 ? String(port) : null;
}

function isClosed(node: N8nNode, scene: Scene): boolean {
  const role = scene.roles.get(node.id);
  return role?.role === 'node' && role.reader.closedOutputs === true;
}

function isModel(node: N8nNode, scene: Scene): boolean {
  return scene.roles.get(node.id)?.role === 'model';
}

/** A model has no place in the flow; a file that leads to one is refused where that is the rule. */
function refuseModel({ target }: N8nLink): never {
  throw unparseable(`"${target.name}" is a model and cannot stand in the flow.`, {
    node: target.name,
    field: 'main',
    locator: target.ref.locator,
  });
}

interface SourceState {
  dropped: boolean;
  failing: boolean;
}

class ConnectionReader {
  readonly connections: Connection[] = [];
  readonly undeclared = new Map<string, Output[]>();
  private readonly scene: Scene;
  /** Models that the flow leads to or from. */
  private readonly inFlow = new Set<N8nNode>();
  private readonly states = new Map<N8nNode, SourceState>();

  constructor(scene: Scene) {
    this.scene = scene;
  }

  read(link: N8nLink): void {
    if (this.skipsModel(link)) return;
    if (link.source.disabled && link.port !== 0) return;
    const state = this.stateOf(link.source);
    if (!passesFlow(link.source, link.port, this.scene)) {
      state.dropped = true;
      return;
    }
    const output = outputOf(link.source, link.port, this.scene);
    if (output === undefined) this.addUndeclared(link);
    if (output?.role === 'error') state.failing = true;
    this.connections.push({
      source: link.source.id,
      target: link.target.id,
      position: link.port,
      label: outputLabel(link.source, link.port, this.scene),
    });
  }

  losses(): Loss[] {
    const { modelInFlowLoss } = this.scene.profile;
    const out = [...this.inFlow].flatMap((model) => modelInFlowLoss?.(model) ?? []);
    for (const [node, state] of this.states) {
      if (state.dropped) {
        const detail = `"${node.name}" has connections on outputs that its type does not have; the source never used them.`;
        const loss = { ref: node.ref, kind: 'parameters_not_carried', effective: false, detail };
        out.push({ ...loss, about: 'outputs' });
      }
      const route = state.failing ? this.scene.profile.errorRouteLoss(node, this.scene) : undefined;
      if (route !== undefined) out.push(route);
    }
    return out;
  }

  /** True for a link from or to a model, which flow never takes. */
  private skipsModel(link: N8nLink): boolean {
    const { modelInFlowLoss } = this.scene.profile;
    const models = [link.source, link.target].filter((end) => isModel(end, this.scene));
    if (modelInFlowLoss === undefined && models.includes(link.target)) refuseModel(link);
    for (const model of models) if (modelInFlowLoss) this.inFlow.add(model);
    return models.length > 0;
  }

  private stateOf(node: N8nNode): SourceState {
    const state = this.states.get(node) ?? { dropped: false, failing: false };
    this.states.set(node, state);
    return state;
  }

  private addUndeclared(link: N8nLink): void {
    const list = this.undeclared.get(link.source.id) ?? [];
    if (!list.some((o) => o.position === link.port)) {
      list.push({ position: link.port, role: 'undeclared' });
    }
    this.undeclared.set(link.source.id, list);
  }
}

/** Reads the flow of a document in the order of its connections (importers 4.6). */
export function readConnections(scene: Scene): ReadConnections {
  const reader = new ConnectionReader(scene);
  for (const link of scene.doc.links) {
    if (link.type === 'main') reader.read(link);
  }
  return {
    connections: reader.connections,
    losses: reader.losses(),
    undeclared: reader.undeclared,
  };
}
