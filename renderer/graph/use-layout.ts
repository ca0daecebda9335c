import { useEffect, useState } from 'react';
import { layoutGraph } from './elk-layout.ts';
import { type GraphModel, graphSignature } from './graph-model.ts';
import type { GraphLayout } from './layout-model.ts';
import { quickLayout } from './quick-layout.ts';

export interface LaidOut {
  readonly graph: GraphModel;
  readonly layout: GraphLayout;
  readonly signature: string;
  /** Drawn at once, until the layout engine is done. */
  readonly rough: boolean;
}

/** From so many nodes on the layout engine takes long enough to show something before it. */
const ROUGH_FROM = 120;

/**
 * The newest finished layout; it stays while a newer graph is being laid out. The first drawing of
 * a large graph is a rough one.
 */
export function useLayout(graph: GraphModel | null): { laidOut: LaidOut | null; error: unknown } {
  const [laidOut, setLaidOut] = useState<LaidOut | null>(null);
  const [error, setError] = useState<unknown>(undefined);
  const signature = graph === null ? '' : graphSignature(graph);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal signatures draw the same graph
  useEffect(() => {
    if (graph === null) {
      return undefined;
    }
    let current = true;
    if (graph.nodes.length >= ROUGH_FROM) {
      setLaidOut(
        (before) => before ?? { graph, layout: quickLayout(graph), signature, rough: true },
      );
    }
    layoutGraph(graph).then(
      (layout) => {
        if (current) {
          setLaidOut({ graph, layout, signature, rough: false });
          setError(undefined);
        }
      },
      (cause: unknown) => {
        if (current) {
          setError(cause);
        }
      },
    );
    return () => {
      current = false;
    };
  }, [signature]);
  return { laidOut, error };
}
