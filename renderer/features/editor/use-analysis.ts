import { useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { AttachedRegistry } from '../../../server/spec/language/registry.ts';
import type { GraphModel } from '../../graph/graph-model.ts';
import { notifyError } from '../../ui/notify.tsx';
import {
  createDiagnosticsClient,
  type DiagnosticsClient,
  type DiagnosticsListener,
} from './diagnostics-client.ts';
import type { GraphEditing } from './graph-editing/editing-types.ts';
import { askSpecWorker } from './spec-client.ts';
import type { OutlineItem, SpecAnalysis } from './spec-protocol.ts';

export interface AnalysisState {
  readonly running: boolean;
  /** Findings and places of the newest text that was looked at; null before the first. */
  readonly latest: SpecAnalysis | null;
  readonly outline: readonly OutlineItem[];
  /** The last graph that could be drawn. */
  readonly graph: GraphModel | null;
  /** What the last graph may change. */
  readonly editing: GraphEditing | null;
  /** True when the newest text gives no graph and an older one is shown. */
  readonly stale: boolean;
}

const EMPTY: AnalysisState = {
  running: false,
  latest: null,
  outline: [],
  graph: null,
  editing: null,
  stale: false,
};

/**
 * Analyses of a draft's text as it changes, and anew with another registry; `push` names the text
 * and its version.
 */
export function useAnalysis(
  ref: string,
  registry: AttachedRegistry | null,
): AnalysisState & {
  readonly push: (text: string, version: number) => void;
} {
  const [state, setState] = useState<AnalysisState>(EMPTY);
  const client = useRef<DiagnosticsClient | null>(null);
  const early = useRef<{ text: string; version: number } | null>(null);
  const latestRegistry = useRef(registry);
  useEffect(() => {
    latestRegistry.current = registry;
    const { current } = early;
    if (current !== null) client.current?.push(current.text, current.version);
  }, [registry]);
  useEffect(() => {
    const listener: DiagnosticsListener = {
      onStart: () => setState((now) => (now.running ? now : { ...now, running: true })),
      onResult: (latest) =>
        setState((now) => ({
          running: false,
          latest,
          outline: latest.outline,
          graph: latest.graph ?? now.graph,
          editing: latest.editing ?? now.editing,
          stale: latest.graph === null && now.graph !== null,
        })),
      onFailure: (error) => {
        setState((now) => ({ ...now, running: false }));
        notifyError(t('The text could not be checked'), error);
      },
    };
    const created = createDiagnosticsClient(ref, listener, (input) =>
      askSpecWorker('analyse', { ...input, registry: latestRegistry.current }),
    );
    client.current = created;
    if (early.current !== null) {
      created.push(early.current.text, early.current.version);
    }
    return () => {
      client.current = null;
      created.dispose();
    };
  }, [ref]);
  const push = useCallback((text: string, version: number) => {
    early.current = { text, version };
    client.current?.push(text, version);
  }, []);
  return { ...state, push };
}
