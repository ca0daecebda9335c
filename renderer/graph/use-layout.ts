import { useEffect, useState } from 'react';
import { layoutGraph } from './elk-layout.ts';
import { type GraphModel, graphSignature } from './graph-model.ts';
import type { GraphLayout } from './layout-model.ts';

export interface LaidOut {
  readonly graph: GraphModel;
  readonly layout: GraphLayout;
  readonly signature: string;
}

/** The newest finished layout; it stays while a newer graph is being laid out. */
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
    layoutGraph(graph).then(
      (layout) => {
        if (current) {
          setLaidOut({ graph, layout, signature });
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
