import { useCallback, useEffect, useRef, useState } from 'react';
import type { PreviewView } from '../../../server/contract/studio/govern.ts';
import type { DraftBuffer } from './draft-buffer.ts';
import { previewText } from './preview-queries.ts';

export interface PreviewState {
  readonly running: boolean;
  readonly view: PreviewView | null;
  readonly error: unknown;
  /** The text that `view` or `error` is about. */
  readonly text: string | null;
}

const IDLE_MS = 600;
const NONE: PreviewState = { running: false, view: null, error: undefined, text: null };

/** The platform's word on the buffer: by itself after a pause when an alias is bound, and on demand. */
export function usePreview(
  projectId: string,
  ref: string,
  alias: string | undefined,
  buffer: DraftBuffer | null,
  automatic: boolean,
): PreviewState & { readonly run: () => void } {
  const [state, setState] = useState<PreviewState>(NONE);
  const abort = useRef<AbortController | null>(null);
  const text = buffer?.text;
  const revision = buffer?.base.revision;
  const run = useCallback(() => {
    if (alias === undefined || text === undefined || revision === undefined) {
      return;
    }
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    setState((now) => ({ ...now, running: true }));
    previewText({ projectId, alias, ref, revision, text, signal: controller.signal }).then(
      (view) => setState({ running: false, view, error: undefined, text }),
      (error: unknown) => {
        if (!controller.signal.aborted) {
          setState({ running: false, view: null, error, text });
        }
      },
    );
  }, [projectId, ref, alias, text, revision]);
  useEffect(() => {
    if (!automatic) {
      return undefined;
    }
    const timer = setTimeout(run, IDLE_MS);
    return () => clearTimeout(timer);
  }, [automatic, run]);
  useEffect(() => () => abort.current?.abort(), []);
  return { ...state, run };
}
