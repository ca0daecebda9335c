import { t } from '../../../../preload/texts/t.ts';
import { GapSeverity } from '../../../../server/contract/studio/gaps.ts';
import { SEVERITY_WORDS } from '../../../../server/gaps/report/severity-words.ts';
import { type GapCard, isOpen } from '../gap-model.ts';

/** How a node of the source is marked. `settled`: it has gaps, and none wants anything more. */
export interface NodeMark {
  readonly worst: 'blocking' | 'manual' | 'info' | 'settled';
  /** Gaps that `worst` is about. */
  readonly count: number;
}

function markOf(cards: readonly GapCard[]): NodeMark {
  const open = cards.filter(isOpen);
  const wanted = open.length > 0 ? open : cards.filter(({ standing }) => standing === 'not_needed');
  for (const severity of GapSeverity.options) {
    const count = wanted.filter(({ gap }) => gap.severity === severity).length;
    if (count > 0 && (severity !== 'info' || wanted.length === cards.length)) {
      return { worst: severity, count };
    }
  }
  return { worst: 'settled', count: cards.length };
}

/** The mark of each source node that has gaps: its worst open severity, with how many. */
export function nodeMarks(cards: readonly GapCard[]): ReadonlyMap<string, NodeMark> {
  const bySource = Map.groupBy(cards, ({ gap }) => gap.source_ref.source_id);
  return new Map([...bySource].map(([id, own]) => [id, markOf(own)]));
}

/** The mark in words: `2 blocking gaps`, `all gaps settled`. */
export function markText(mark: NodeMark | undefined): string {
  if (mark === undefined) {
    return t('no gaps');
  }
  if (mark.worst === 'settled') {
    return t('all gaps settled');
  }
  return mark.worst === 'blocking'
    ? t('{count} blocking {count, plural, one {gap} other {gaps}}', { count: mark.count })
    : `${mark.count} ${t('{count, plural, one {gap} other {gaps}}', { count: mark.count })} ${SEVERITY_WORDS[mark.worst]}`;
}
