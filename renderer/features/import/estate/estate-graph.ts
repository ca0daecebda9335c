import { t } from '../../../../preload/texts/t.ts';
import type {
  Estate,
  EstateCall,
  EstateCredential,
} from '../../../../server/contract/studio/estate.ts';
import type { GraphEdge, GraphModel, GraphNode, NodeKind } from '../../../graph/graph-model.ts';

/** What the map calls a file. */
export type NameOf = (path: string) => string;

/** A drawing of more nodes says nothing. */
const MOST_NODES = 300;

/** As much of a map as is drawn, and how much there is: the table beside it has all of it. */
export interface Drawn {
  readonly graph: GraphModel | null;
  readonly shown: number;
  readonly all: number;
}
const KIND_WORDS = { step: t('runs it'), tool: t('as a tool'), error: t('when it fails') } as const;

/** The node of a workflow that is not among the files, by what the source calls it. */
export function missingId(wanted: string): string {
  return `missing ${wanted}`;
}

function node(id: string, label: string, kind: NodeKind, part: Partial<GraphNode> = {}): GraphNode {
  return { id, label, kind, detail: '', start: false, disabled: false, parent: null, ...part };
}

/** The nodes of a drawing: the first that fit, and how many there are. */
class Nodes {
  readonly shown = new Map<string, GraphNode>();
  readonly all = new Set<string>();

  /** False for one that there is no more room for. */
  add(made: GraphNode): boolean {
    this.all.add(made.id);
    const { shown } = this;
    if (shown.size < MOST_NODES && !shown.has(made.id)) shown.set(made.id, made);
    return shown.has(made.id);
  }
}

function drawn({ shown, all }: Nodes, edges: readonly GraphEdge[]): Drawn {
  const parts = { nodes: [...shown.values()], edges, groups: [] };
  const graph = shown.size === 0 ? null : ({ kind: 'graph', ...parts } as const);
  return { graph, shown: shown.size, all: all.size };
}

function targetsOf({ state, to, wanted }: EstateCall): readonly string[] {
  return state === 'missing' ? [missingId(wanted)] : to;
}

/** The calls of a file and of those around it, nearest first, then all others. */
function nearestFirst(calls: readonly EstateCall[], around: string): readonly EstateCall[] {
  const callsAt = new Map<string, EstateCall[]>();
  const addAt = (id: string, call: EstateCall): void => {
    const known = callsAt.get(id);
    if (known === undefined) callsAt.set(id, [call]);
    else known.push(call);
  };
  for (const call of calls) for (const id of [call.from, ...targetsOf(call)]) addAt(id, call);
  const near = new Set<EstateCall>();
  const seen = new Set([around]);
  for (const id of seen) {
    for (const call of callsAt.get(id) ?? []) {
      near.add(call);
      for (const other of [call.from, ...targetsOf(call)]) seen.add(other);
    }
  }
  return [...near, ...calls.filter((call) => !near.has(call))];
}

/** Who runs whom: one arrow for each pair and way of calling, drawn from a file outwards if named. */
export function callGraph(
  calls: readonly EstateCall[],
  nameOf: NameOf,
  around: string | null = null,
): Drawn {
  const nodes = new Nodes();
  const edges = new Map<string, GraphEdge>();
  for (const call of around === null ? calls : nearestFirst(calls, around)) {
    const { from, kind, wanted, state } = call;
    for (const target of targetsOf(call)) {
      const missing = state === 'missing';
      const ends = [
        nodes.add(node(from, nameOf(from), 'workflow')),
        nodes.add(
          node(target, missing ? wanted : nameOf(target), 'workflow', { disabled: missing }),
        ),
      ];
      const id = `${from}\n${target}\n${kind}`;
      if (!ends.includes(false) && target !== from && !edges.has(id)) {
        const label = KIND_WORDS[kind];
        edges.set(id, { id, source: from, target, label, conditional: kind === 'error' });
      }
    }
  }
  return drawn(nodes, [...edges.values()]);
}

/** Credentials that more than one file uses. */
export function sharedCredentials({ credentials }: Estate): readonly EstateCredential[] {
  return credentials.filter(({ files }) => files.length > 1);
}

/** Which files sign in with the same credential. */
export function credentialGraph(credentials: readonly EstateCredential[], nameOf: NameOf): Drawn {
  const nodes = new Nodes();
  const edges: GraphEdge[] = [];
  for (const { key, type, name, files } of credentials) {
    const isDrawn = nodes.add(node(key, name, 'credential', { detail: type }));
    for (const path of files) {
      if (!nodes.add(node(path, nameOf(path), 'workflow')) || !isDrawn) continue;
      const id = `${path}\n${key}`;
      edges.push({ id, source: path, target: key, label: null, conditional: false });
    }
  }
  return drawn(nodes, edges);
}
