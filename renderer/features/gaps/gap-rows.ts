import type { GapSeverity } from '../../../server/contract/studio/gaps.ts';
import { causeKey, plainTitle, subjectOf } from '../../../server/gaps/estate/shared-causes.ts';
import { type GapCard, gapGroups, isOpen } from './gap-model.ts';

/** Gaps of one severity that are one thing: they say the same of several elements, or several of one. */
export interface Cause {
  readonly key: string;
  /** What the gaps have in common. */
  readonly by: 'words' | 'element';
  readonly severity: GapSeverity;
  readonly title: string;
  /** What the elements have in common; empty when nothing names it. */
  readonly subject: string;
  readonly cards: readonly GapCard[];
  readonly open: number;
}

/** A line of the list. */
export type GapRow =
  | {
      readonly type: 'severity';
      readonly id: string;
      readonly severity: GapSeverity;
      readonly open: number;
      readonly total: number;
    }
  | {
      readonly type: 'cause';
      readonly id: string;
      readonly cause: Cause;
      readonly expanded: boolean;
    }
  | {
      readonly type: 'gap';
      readonly id: string;
      readonly card: GapCard;
      /** The cause row that it stands under. */
      readonly under: { readonly id: string; readonly by: Cause['by'] } | null;
    };

/** What the list leaves out. */
export interface GapFilter {
  readonly kinds: readonly string[];
  readonly text: string;
  readonly openOnly: boolean;
}

export const NO_FILTER: GapFilter = { kinds: [], text: '', openOnly: false };

function causeOf(key: string, by: Cause['by'], cards: readonly GapCard[]): Cause | undefined {
  const [first] = cards;
  if (first === undefined) {
    return undefined;
  }
  const { gap } = first;
  const words = by === 'words';
  return {
    key,
    by,
    severity: gap.severity,
    title: words ? plainTitle(gap) : gap.source_ref.source_label,
    subject: words ? subjectOf(gap) : '',
    cards,
    open: cards.filter(isOpen).length,
  };
}

/**
 * The causes of a list of gaps, in the order in which each first appears: gaps that say the same,
 * then what is left of one element.
 */
export function causesOf(cards: readonly GapCard[]): readonly Cause[] {
  const alike = Map.groupBy(cards, ({ gap }) => causeKey(gap));
  const alone = [...alike.values()].flatMap(([card, second]) =>
    card === undefined || second !== undefined ? [] : [card],
  );
  const ofElement = Map.groupBy(alone, ({ gap }) => gap.source_ref.source_id);
  const keyOf = (card: GapCard): string => {
    const own = ofElement.get(card.gap.source_ref.source_id) ?? [];
    return own.length > 1 && own.includes(card)
      ? `element ${card.gap.source_ref.source_id}`
      : causeKey(card.gap);
  };
  return [...Map.groupBy(cards, keyOf)].flatMap(
    ([key, members]) => causeOf(key, alike.has(key) ? 'words' : 'element', members) ?? [],
  );
}

function fits(card: GapCard, filter: GapFilter): boolean {
  const { gap } = card;
  if (filter.openOnly && !isOpen(card)) {
    return false;
  }
  if (filter.kinds.length > 0 && !filter.kinds.includes(gap.kind)) {
    return false;
  }
  const wanted = filter.text.trim().toLowerCase();
  const texts = [gap.title, gap.detail, gap.source_ref.source_label, gap.spec_ref ?? ''];
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted));
}

function rowsOf(cause: Cause, expanded: ReadonlySet<string>): readonly GapRow[] {
  const [only, second] = cause.cards;
  if (only !== undefined && second === undefined) {
    return [{ type: 'gap', id: only.gap.ref.gap_id, card: only, under: null }];
  }
  const id = `cause:${cause.key}`;
  const open = expanded.has(id);
  const head: GapRow = { type: 'cause', id, cause, expanded: open };
  const inside = cause.cards.map(
    (card): GapRow => ({ type: 'gap', id: card.gap.ref.gap_id, card, under: { id, by: cause.by } }),
  );
  return open ? [head, ...inside] : [head];
}

/** The lines of the list: severities, causes of several gaps, gaps. */
export function gapRows(
  cards: readonly GapCard[],
  filter: GapFilter,
  expanded: ReadonlySet<string>,
): readonly GapRow[] {
  return gapGroups(cards.filter((card) => fits(card, filter))).flatMap((group): GapRow[] => {
    const { severity } = group;
    const head: GapRow = {
      type: 'severity',
      id: `severity:${severity}`,
      severity,
      open: group.open,
      total: group.cards.length,
    };
    return [head, ...causesOf(group.cards).flatMap((cause) => rowsOf(cause, expanded))];
  });
}

function wantsWork(row: GapRow): boolean {
  if (row.type === 'severity') {
    return false;
  }
  return row.type === 'cause' ? row.cause.open > 0 : isOpen(row.card);
}

/** The row after or before the chosen one; stays at the ends. `openOnly` skips what is settled. */
export function neighbour(
  rows: readonly GapRow[],
  chosen: string | null,
  step: 1 | -1,
  openOnly = false,
): string | null {
  const stops = rows.filter((row) => row.type !== 'severity');
  const index = stops.findIndex(({ id }) => id === chosen);
  if (index === -1) {
    return (openOnly ? stops.find(wantsWork) : stops[0])?.id ?? null;
  }
  const ahead = step === 1 ? stops.slice(index + 1) : stops.slice(0, index).toReversed();
  const next = openOnly ? ahead.find(wantsWork) : ahead[0];
  return next?.id ?? chosen;
}

/** The id of the cause that holds a gap together with others; null for one that stands alone. */
export function causeRowOf(cards: readonly GapCard[], gapId: string): string | null {
  const cause = gapGroups(cards)
    .flatMap((group) => causesOf(group.cards))
    .find((one) => one.cards.some(({ gap }) => gap.ref.gap_id === gapId));
  return cause !== undefined && cause.cards.length > 1 ? `cause:${cause.key}` : null;
}
