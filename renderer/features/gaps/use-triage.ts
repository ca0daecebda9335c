import { useCallback, useEffect, useMemo, useState } from 'react';
import { visitKey } from '../../app/navigation.ts';
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
  /** The visit of the page that it is of: its address is obeyed once. */
  readonly visit: string;
  /** The row that is chosen: a gap or a cause. Null: the first one. */
  readonly focus: string | null;
  /** A source element without gaps that is chosen instead. */
  readonly bareNode: string | null;
  readonly filter: GapFilter;
  readonly expanded: ReadonlySet<string>;
}

const START: TriageState = {
  visit: '',
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
    visit: state.visit,
    focus: gapId,
    bareNode: null,
    expanded,
    filter: seen ? state.filter : NO_FILTER,
  };
}

/** What the address of the page asks to be chosen. */
export interface Asked {
  readonly gapId: string | undefined;
  readonly sourceId: string | undefined;
}

function withSource(state: TriageState, cards: readonly GapCard[], sourceId: string): TriageState {
  const own = gapsOf(cards, sourceId).map(({ gap }) => gap.ref.gap_id);
  const next = own[(own.indexOf(state.focus ?? '') + 1) % Math.max(1, own.length)];
  return next === undefined ? { ...state, bareNode: sourceId } : withExpanded(state, cards, next);
}

/** Where the author left, unless a link just asked for something else. */
function begin(analysisId: string, cards: readonly GapCard[], asked: Asked): TriageState {
  const visit = visitKey();
  const known = left.get(analysisId) ?? START;
  const state = { ...known, visit };
  if (known.visit === visit) {
    return known;
  }
  const { gapId, sourceId } = asked;
  if (gapId !== undefined && cards.some(({ gap }) => gap.ref.gap_id === gapId)) {
    return withExpanded(state, cards, gapId);
  }
  return sourceId === undefined ? state : withSource({ ...state, focus: null }, cards, sourceId);
}

/** What is chosen, folded and filtered on the gap page, and the moves between gaps. */
export function useTriage(analysisId: string, cards: readonly GapCard[], asked: Asked): Triage {
  const [state, setState] = useState<TriageState>(() => begin(analysisId, cards, asked));
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
    (sourceId: string) => setState((now) => withSource(now, cards, sourceId)),
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
