import type { Json } from '../../kernel/json.ts';
import { shown } from '../compare/tell.ts';
import type { BlockName } from '../schema/field-help.ts';

/** What both sides did to one thing. */
export type ConflictKind = 'changed' | 'removed_in_ours' | 'removed_in_theirs' | 'added' | 'order';

/** How a conflict is settled. */
export type Choice = 'ours' | 'theirs' | 'both';

/** The text at the start, and what two sides made of it; absent is undefined. */
export interface Sides<Value = Json | undefined> {
  readonly base: Value;
  readonly ours: Value;
  readonly theirs: Value;
}

/** A thing of the language: a part, or a field of one. */
export interface Thing {
  /** The named part, as an author calls it: `agent "writer"`. */
  readonly part: string;
  readonly block: BlockName;
  /** The field of the part; null for the whole part. */
  readonly field: string | null;
  /** Names on the way to it; a step of a list is named by its id. */
  readonly way: readonly string[];
}

/** One thing of the language that two sides changed, each otherwise. */
export interface MergeConflict extends Omit<Thing, 'way'> {
  /** The same as long as the three texts are the same. */
  readonly id: string;
  readonly kind: ConflictKind;
  readonly sides: Sides;
  /** The ways to settle it. */
  readonly choices: readonly Choice[];
  /** How it was settled; null while it is open. */
  readonly chosen: Choice | null;
  /** One sentence, without its full stop. */
  readonly text: string;
}

/** What kind of conflict the three values are. */
export function kindOf({ base, ours, theirs }: Sides): ConflictKind {
  if (ours === undefined) return 'removed_in_ours';
  if (theirs === undefined) return 'removed_in_theirs';
  return base === undefined ? 'added' : 'changed';
}

/** One sentence for a conflict. */
export function tellConflict(kind: ConflictKind, { part, field }: Thing, sides: Sides): string {
  const what = field === null ? part : `${part}: ${field}`;
  switch (kind) {
    case 'removed_in_ours':
      return `${what} was removed by you and changed by them`;
    case 'removed_in_theirs':
      return `${what} was changed by you and removed by them`;
    case 'order':
      return `${what} were put in order by both, each otherwise`;
    case 'added':
    case 'changed': {
      const [ours, theirs] = [shown(sides.ours), shown(sides.theirs)];
      const verb = kind === 'added' ? 'added' : 'changed';
      if (field === null || ours === theirs) return `${what} was ${verb} by both, each otherwise`;
      return `${what} is ${ours} in yours and ${theirs} in theirs`;
    }
  }
}
