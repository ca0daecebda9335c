import type {
  Estate,
  EstateCall,
  EstateCredential,
} from '../../../../server/gaps/estate/estate.ts';
import type { GraphEdge, GraphModel, GraphNode, NodeKind } from '../../../graph/graph-model.ts';

/** What the map calls a file. */
export type NameOf = (path: string) => string;

/** More nodes say nothing; the table beside the drawing has them all. */
const MOST_NODES = 300;
const KIND_WORDS = { step: 'runs it', tool: 'as a tool', error: 'when it fails' } as const;

/** The node of a workflow that is not among the files, by what the source calls it. */
export function missingId(wanted: string): string {
  return `missing ${wanted}`;
}

function node(id: string, label: string, kind: NodeKind, part: Partial<GraphNode> = {}): GraphNode {
  return { id, label, kind, detail: '', start: false, disabled: false, parent: null, ...part };
}

function model(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): GraphModel | null {
  return nodes.length === 0 ? null : { kind: 'graph', nodes, edges, groups: [] };
}

function targetsOf({ state, to, wanted }: EstateCall): readonly string[] {
  return state === 'missing' ? [missingId(wanted)] : to;
}

/** Who runs whom: one arrow for each pair and way of calling. */
export function callGraph(calls: readonly EstateCall[], nameOf: NameOf): GraphModel | null {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  const add = (made: GraphNode): boolean => {
    if (!nodes.has(made.id) && nodes.size < MOST_NODES) {
      nodes.set(made.id, made);
    }
    return nodes.has(made.id);
  };
  for (const call of calls) {
    const { from, kind, wanted, state } = call;
    for (const target of targetsOf(call)) {
      const missing = state === 'missing';
      const known =
        add(node(from, nameOf(from), 'workflow')) &&
        add(node(target, missing ? wanted : nameOf(target), 'workflow', { disabled: missing }));
      const id = `${from}\n${target}\n${kind}`;
      if (known && target !== from && !edges.has(id)) {
        const label = KIND_WORDS[kind];
        edges.set(id, { id, source: from, target, label, conditional: kind === 'error' });
      }
    }
  }
  return model([...nodes.values()], [...edges.values()]);
}

/** Credentials that more than one file uses. */
export function sharedCredentials({ credentials }: Estate): readonly EstateCredential[] {
  return credentials.filter(({ files }) => files.length > 1);
}

/** Which files sign in with the same credential. */
export function credentialGraph(
  credentials: readonly EstateCredential[],
  nameOf: NameOf,
): GraphModel | null {
  const nodes = new Map<string, GraphNode>();
  const edges: GraphEdge[] = [];
  for (const { key, type, name, files } of credentials) {
    if (nodes.size + files.length >= MOST_NODES) {
      break;
    }
    nodes.set(key, node(key, name, 'credential', { detail: type }));
    for (const path of files) {
      nodes.set(path, node(path, nameOf(path), 'workflow'));
      const id = `${path}\n${key}`;
      edges.push({ id, source: path, target: key, label: null, conditional: false });
    }
  }
  return model([...nodes.values()], edges);
}
