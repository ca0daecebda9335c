import { useCallback, useEffect, useMemo, useState } from 'react';
import { type GapCard, isOpen } from './gap-model.ts';
import {
  causeRowOf,
  type GapFilter,
  type GapRow,
  gapRows,
  NO_FILTER,
  neighbour,
} from './gap-rows.ts';

interface TriageState {
  /** The row that is chosen: a gap or a cause. Null: the first one. */
  readonly focus: string | null;
  /** A source element without gaps that is chosen instead. */
  readonly bareNode: string | null;
  readonly filter: GapFilter;
  readonly expanded: ReadonlySet<string>;
}

const START: TriageState = {
  focus: null,
  bareNode: null,
  filter: NO_FILTER,
  expanded: new Set(),
};

/** Where the author was in each analysis, for the way back from the editor. */
const left = new Map<string, TriageState>();

export interface Triage {
  readonly rows: readonly GapRow[];
  readonly row: GapRow | undefined;
  readonly bareNode: string | null;
  readonly filter: GapFilter;
  setFilter(filter: GapFilter): void;
  choose(rowId: string): void;
  chooseGap(gapId: string): void;
  /** Chooses the worst gap of a source element; again: its next one. */
  chooseSource(sourceId: string): void;
  move(step: 1 | -1, openOnly?: boolean): void;
  toggle(rowId: string): void;
}

const WORST = ['blocking', 'manual', 'info'];

function gapsOf(cards: readonly GapCard[], sourceId: string): readonly GapCard[] {
  return cards
    .filter(({ gap }) => gap.source_ref.source_id === sourceId)
    .toSorted(
      (a, b) =>
        Number(isOpen(b)) - Number(isOpen(a)) ||
        WORST.indexOf(a.gap.severity) - WORST.indexOf(b.gap.severity),
    );
}

function withExpanded(state: TriageState, cards: readonly GapCard[], gapId: string): TriageState {
  const cause = causeRowOf(cards, gapId);
  const expanded = cause === null ? state.expanded : new Set([...state.expanded, cause]);
  const seen = gapRows(cards, state.filter, expanded).some(({ id }) => id === gapId);
  return {
    focus: gapId,
    bareNode: null,
    expanded,
    filter: seen ? state.filter : NO_FILTER,
  };
}

/** What is chosen, folded and filtered on the gap page, and the moves between gaps. */
export function useTriage(analysisId: string, cards: readonly GapCard[]): Triage {
  const [state, setState] = useState<TriageState>(() => left.get(analysisId) ?? START);
  useEffect(() => {
    left.set(analysisId, state);
  }, [analysisId, state]);
  const rows = useMemo(() => gapRows(cards, state.filter, state.expanded), [cards, state]);
  const row =
    rows.find(({ id }) => id === state.focus) ?? rows.find(({ type }) => type !== 'severity');
  const focus = row?.id ?? null;
  const chooseGap = useCallback(
    (gapId: string) => setState((now) => withExpanded(now, cards, gapId)),
    [cards],
  );
  const chooseSource = useCallback(
    (sourceId: string) => {
      const own = gapsOf(cards, sourceId).map(({ gap }) => gap.ref.gap_id);
      setState((now) => {
        const at = own.indexOf(now.focus ?? '');
        const next = own[(at + 1) % Math.max(1, own.length)];
        return next === undefined ? { ...now, bareNode: sourceId } : withExpanded(now, cards, next);
      });
    },
    [cards],
  );
  return {
    rows,
    row,
    bareNode: state.bareNode,
    filter: state.filter,
    setFilter: (filter) => setState((now) => ({ ...now, filter })),
    choose: (rowId) => setState((now) => ({ ...now, focus: rowId, bareNode: null })),
    chooseGap,
    chooseSource,
    move: (step, openOnly = false) =>
      setState((now) => ({
        ...now,
        bareNode: null,
        focus: neighbour(rows, focus, step, openOnly),
      })),
    toggle: (rowId) =>
      setState((now) => {
        const expanded = new Set(now.expanded);
        if (!expanded.delete(rowId)) {
          expanded.add(rowId);
        }
        return { ...now, expanded, focus: rowId, bareNode: null };
      }),
  };
}
