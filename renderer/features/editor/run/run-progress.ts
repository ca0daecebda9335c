import { t } from '../../../../preload/texts/t.ts';
import type { GraphNode } from '../../../graph/graph-model.ts';
import type { NodeProgress } from '../../../graph/node-shapes.tsx';
import type { TextRange } from '../spec-protocol.ts';

/** How far the run of a draft has come, for its graph and its lines. */
export interface DraftRunProgress {
  readonly status: string;
  readonly nodes: Readonly<Record<string, NodeProgress>>;
  /** Edges that were taken, as `source->target`. */
  readonly taken: ReadonlySet<string>;
  /** What answered in place of nodes. */
  readonly answeredBy: Readonly<Record<string, string>>;
}

/** A mark beside the line where a node begins. */
export interface LineMark {
  readonly line: number;
  readonly state: 'done' | 'running' | 'waiting' | 'failed';
  readonly text: string;
}

const WORDS: Readonly<Record<LineMark['state'], string>> = {
  done: t('ran'),
  running: t('is running'),
  waiting: t('waits for a person'),
  failed: t('failed'),
};

function stateOf(progress: NodeProgress, status: string): LineMark['state'] | undefined {
  switch (progress) {
    case 'visited':
      return 'done';
    case 'failed':
      return 'failed';
    case 'current':
      return status === 'blocked' ? 'waiting' : 'running';
    default:
      return undefined;
  }
}

type DrawnNodes = readonly Pick<GraphNode, 'id' | 'label' | 'parent'>[];

/** The node of the drawing that a run knows by the name of its step; undefined when it is gone. */
export function drawnNode(name: string, nodes: DrawnNodes): string | undefined {
  const named = nodes.filter(({ label }) => label === name);
  return (named.find(({ parent }) => parent === null) ?? named[0])?.id;
}

/** Progress by the nodes of the drawing rather than by the names of steps. */
export function onDrawing(progress: DraftRunProgress, nodes: DrawnNodes): DraftRunProgress {
  const at = (name: string): string => drawnNode(name, nodes) ?? name;
  return {
    status: progress.status,
    nodes: Object.fromEntries(
      Object.entries(progress.nodes).map(([name, state]) => [at(name), state]),
    ),
    answeredBy: Object.fromEntries(
      Object.entries(progress.answeredBy).map(([name, by]) => [at(name), by]),
    ),
    taken: new Set([...progress.taken].map((edge) => edge.split('->').map(at).join('->'))),
  };
}

/** The marks of a run beside the lines of the text as it is now. */
export function lineMarks(
  progress: DraftRunProgress,
  ranges: Readonly<Record<string, TextRange>>,
  nodes: DrawnNodes,
): LineMark[] {
  return nodes.flatMap(({ id, label }) => {
    const state = stateOf(progress.nodes[id] ?? 'idle', progress.status);
    const line = ranges[id]?.startLine;
    return state === undefined || line === undefined
      ? []
      : [{ line, state, text: `${label} ${WORDS[state]}` }];
  });
}
