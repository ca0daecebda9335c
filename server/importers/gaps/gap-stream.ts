import type { SourceSetting } from '../../contract/studio/analyses.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import type { Gap, SourceRef } from '../analysis.ts';
import { GAP_KINDS, type SeverityFacts, severityOf } from './gap-kinds.ts';

const MAX_ID = 120;
const MAX_DETAIL = 2000;
const TAIL = 14;

/** What of an element a card tells, where others may be told of it as well. */
export type CardTopic = 'flow' | 'idle' | 'outputs' | 'prompt' | 'run';

/** A gap before it has an id. */
export interface Card extends SeverityFacts {
  readonly about?: CardTopic;
  /** Source ids of the elements that it names beside its own. */
  readonly names?: readonly string[];
  readonly ref: SourceRef;
  readonly detail: string;
  readonly todo?: string;
  /** The numbers among the settings that the detail tells. */
  readonly settings?: readonly Pick<SourceSetting, 'name' | 'value'>[];
}

function baseId(kind: string, sourceId: string): string {
  const plain = `${kind}:${sourceId}`;
  // A text has no more characters than code units; only a long one is worth counting.
  if (plain.length <= MAX_ID || [...plain].length <= MAX_ID) return plain;
  const room = Math.max(0, MAX_ID - kind.length - TAIL);
  const head = [...sourceId].slice(0, room).join('');
  const hash = sha256Hex(sourceId).slice(0, 12);
  return [...`${kind}:${head}~${hash}`].slice(0, MAX_ID).join('');
}

/** The whole detail: what was lost, cut when it is long, then what to do. */
function told(detail: string, todo: string): string {
  const room = MAX_DETAIL - todo.length - 1;
  const kept = detail.length <= room ? detail : `${detail.slice(0, room - 1)}…`.toWellFormed();
  return `${kept} ${todo}`;
}

/** Gaps, and for each card the id of the gap that tells it. */
export interface ToldGaps {
  readonly gaps: Gap[];
  readonly ids: readonly string[];
}

/**
 * Turns cards into gaps: drops doubles, gives ids, severities and wording (importers 7). `scrub`
 * takes secrets out of texts, before a long one is cut.
 */
export function tellGaps(
  cards: readonly Card[],
  stepOf: (sourceId: string) => string | null,
  scrub: (text: string) => string = (text) => text,
): ToldGaps {
  const seen = new Map<string, string>();
  const ids: string[] = [];
  const taken = new Set<string>();
  const nextNumber = new Map<string, number>();
  const gaps: Gap[] = [];
  for (const card of cards) {
    const { kind, ref } = card;
    const double = `${kind} ${ref.source_id.length} ${ref.source_id}${card.detail}`;
    const known = seen.get(double);
    if (known !== undefined) {
      ids.push(known);
      continue;
    }
    const base = baseId(kind, ref.source_id);
    let id = base;
    let number = nextNumber.get(base) ?? 2;
    while (taken.has(id)) {
      id = `${base}#${number}`;
      number += 1;
    }
    if (id !== base) nextNumber.set(base, number);
    taken.add(id);
    seen.set(double, id);
    ids.push(id);
    const words = GAP_KINDS.get(kind);
    const title = words?.title ?? 'Not carried';
    const todo = card.todo ?? words?.todo ?? 'Rebuild it by hand.';
    gaps.push({
      gap_id: id,
      kind,
      severity: severityOf(card),
      source_ref: { ...ref },
      spec_ref: stepOf(ref.source_id),
      title: `${title}: ${ref.source_label}`,
      detail: told(scrub(card.detail), scrub(todo)),
    });
  }
  return { gaps, ids };
}

/** {@link tellGaps}, the gaps only. */
export function toGaps(
  cards: readonly Card[],
  stepOf: (sourceId: string) => string | null,
  scrub?: (text: string) => string,
): Gap[] {
  return tellGaps(cards, stepOf, scrub).gaps;
}
