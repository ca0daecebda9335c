import { useCallback, useRef, useState } from 'react';
import { useCommand } from '../../../app/use-command.ts';
import { readJson, writeJson } from '../../../desktop/local-store.ts';
import { isPartShown, togglePart } from '../../../workbench/layout-store.ts';
import type { EditorHandle } from '../spec-editor.tsx';
import type { SpecAnalysis } from '../spec-protocol.ts';
import { type InspectorSession, useInspector } from './use-inspector.ts';

/** The inspector beside the text, and whether it is open. */
export interface InspectorPart {
  readonly session: InspectorSession;
  readonly open: boolean;
  /** Counts the times that it was asked for by keyboard. */
  readonly asked: number;
  /** Opens it and gives it the keyboard. */
  readonly ask: () => void;
  readonly toggle: () => void;
  /** Gives the keyboard back to who asked, else to the graph, else to the text. */
  readonly back: () => void;
}

const KEY = 'inspector';

function isOpen(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** The node of the graph that the cursor stands in. */
function activeNode(): HTMLElement | null {
  const shown = document.querySelector<HTMLElement>('.sw-side .sw-node[data-active="true"]');
  return shown?.closest<HTMLElement>('.react-flow__node') ?? null;
}

/** Puts what is being typed into the text. */
function leaveField(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || field.dataset['dirty'] !== 'true') return;
  field.blur();
  field.focus();
}

/** The inspector of an editor; whether it is open is remembered in this window. */
export function useInspectorPart(input: {
  readonly editor: { readonly current: EditorHandle | null };
  readonly file: string;
  readonly analysis: SpecAnalysis | null;
  readonly enabled: boolean;
}): InspectorPart & { readonly settled: () => Promise<void> } {
  const [open, setOpen] = useState(() => readJson(KEY, isOpen, false));
  const [asked, setAsked] = useState(0);
  const asker = useRef<HTMLElement | null>(null);
  const { editor, enabled } = input;
  const session = useInspector({ ...input, open });
  const show = useCallback((next: boolean) => {
    setOpen(next);
    writeJson(KEY, next);
  }, []);
  const ask = useCallback(() => {
    asker.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    if (!isPartShown('side')) togglePart('side');
    show(true);
    setAsked((count) => count + 1);
  }, [show]);
  const back = useCallback(() => {
    const to = asker.current?.isConnected === true ? asker.current : activeNode();
    if (to !== null) to.focus();
    else editor.current?.focus();
  }, [editor]);
  useCommand('draft.inspect', ask, enabled);
  return {
    ...{ session, open, asked, ask, back },
    toggle: () => show(!open),
    settled: async () => {
      leaveField();
      await session.settled();
    },
  };
}
