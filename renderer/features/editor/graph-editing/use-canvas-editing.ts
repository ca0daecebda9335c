import { useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { CanvasEditing, Drawn } from '../../../graph/canvas-editing.ts';
import type { GraphEditing } from './editing-types.ts';
import {
  actionOfKey,
  type Chosen,
  type GraphAction,
  NOTHING_CHOSEN,
  retargetWords,
} from './graph-actions.ts';
import type { GraphEditSession } from './use-graph-edit.ts';

interface Input {
  readonly session: GraphEditSession;
  readonly editing: GraphEditing;
  readonly enabled: boolean;
  readonly chosen: Chosen;
  readonly renaming: string | null;
  readonly choose: (chosen: Chosen) => void;
  readonly act: (action: GraphAction, chosen: Chosen) => void;
  readonly openMenu: (at: { readonly x: number; readonly y: number }) => void;
  readonly setRenaming: (id: string | null) => void;
  readonly onLook: (id: string) => void;
  readonly lookEdge: (id: string) => void;
}

/** A set that stays the same object while it holds the same names. */
function useNames(names: readonly string[]): ReadonlySet<string> {
  const joined = names.join('\n');
  return useMemo(() => new Set(joined.split('\n')), [joined]);
}

/** What a key is about: what has the keyboard, unless it is one of several that are chosen together. */
function keyed(action: GraphAction, drawn: Drawn | null, now: Chosen): Chosen {
  if (drawn === null || action === 'undo' || action === 'redo') return now;
  if ('line' in drawn) return { nodes: [], line: drawn.line };
  const together = action === 'wrap' && now.nodes.includes(drawn.node);
  return together ? now : { nodes: [drawn.node], line: null };
}

function withNode({ nodes, left }: Chosen, id: string, more: boolean): Chosen {
  if (!more || left === true) return { nodes: [id], line: null };
  const others = nodes.filter((one) => one !== id);
  return { nodes: nodes.includes(id) ? others : [...others, id], line: null };
}

function pointed(drawn: Drawn | null, now: Chosen): Chosen {
  if (drawn === null) return NOTHING_CHOSEN;
  if ('line' in drawn) return { nodes: [], line: drawn.line };
  return now.nodes.includes(drawn.node) ? now : { nodes: [drawn.node], line: null };
}

function connect({ session, editing }: Input, from: string, to: string): void {
  const source = editing.steps[from];
  const target = editing.steps[to];
  if (source === undefined || target === undefined) return;
  void session.make(
    { op: 'connect', from: source.at, to: target.at, condition: null },
    t('"{key}" leads to "{key2}" now.', { key: source.key, key2: target.key }),
  );
}

function reconnect(
  { session, editing }: Input,
  id: string,
  end: 'from' | 'to',
  node: string,
): void {
  const line = editing.lines[id];
  const to = editing.steps[node];
  if (line === undefined || to === undefined) return;
  void session.make({ op: 'retarget', line: line.at, end, to: to.at }, retargetWords(end, to.key));
}

function rename({ session, editing, setRenaming }: Input, id: string, name: string | null): void {
  const step = editing.steps[id];
  setRenaming(null);
  const wanted = name?.trim();
  if (wanted === undefined || step === undefined || wanted === step.key) return;
  void session.make(
    { op: 'rename_step', at: step.at, name: wanted },
    `"${step.key}" is "${wanted}" now.`,
  );
}

/** What the canvas needs so that its drawing edits a text; undefined while it cannot. */
export function useCanvasEditing(input: Input): CanvasEditing | undefined {
  const { editing, enabled, chosen, renaming } = input;
  const [faults, setFaults] = useState<Readonly<Record<string, string>> | null>(null);
  const isEnd = useRef(false);
  const latest = useRef({ ...input, faults });
  useEffect(() => {
    latest.current = { ...input, faults };
  });
  const nodes = useNames(Object.keys(editing.steps));
  const lines = useNames(Object.keys(editing.lines));
  const picked = useNames(chosen.nodes);
  const { line } = chosen;
  return useMemo((): CanvasEditing | undefined => {
    if (!enabled) return undefined;
    const now = () => latest.current;
    const onNode = (id: string, more: boolean): void => {
      now().choose(withNode(now().chosen, id, more));
      now().onLook(id);
    };
    return {
      ...{ nodes, lines, chosen: picked, line, faults, renaming, onNode },
      onLine(id) {
        now().choose({ nodes: [], line: id });
        now().lookEdge(id);
      },
      onMenu(drawn, x, y) {
        now().choose(pointed(drawn, now().chosen));
        now().openMenu({ x, y });
      },
      onKey(event, drawn) {
        if (event.key === ' ' && drawn !== null && 'node' in drawn) {
          onNode(drawn.node, true);
          return true;
        }
        if (event.key === 'Escape') now().choose(NOTHING_CHOSEN);
        const action = actionOfKey(event, drawn !== null && 'line' in drawn);
        if (action === undefined) return false;
        now().act(action, keyed(action, drawn, now().chosen));
        return true;
      },
      onReconnectStart() {
        isEnd.current = true;
      },
      onConnectStart(from) {
        const step = now().editing.steps[from];
        setFaults({});
        // Where an end of an edge cannot lead is said when it is let go.
        if (step === undefined || isEnd.current) return;
        void now()
          .session.faultsFrom(step.at)
          .then((found) => setFaults((drawing) => (drawing === null ? null : found)));
      },
      onConnectOver(id) {
        const text = id === null ? undefined : now().faults?.[id];
        now().session.say(text === undefined ? null : { tone: 'refused', text });
      },
      onConnect: (from, to) => connect(now(), from, to),
      onConnectEnd(refused) {
        const text = refused === null ? undefined : now().faults?.[refused];
        setFaults(null);
        isEnd.current = false;
        if (text !== undefined) now().session.say({ tone: 'refused', text });
      },
      onReconnect: (line, end, node) => reconnect(now(), line, end, node),
      onRename: (id, name) => rename(now(), id, name),
    };
  }, [enabled, nodes, lines, picked, line, faults, renaming]);
}
