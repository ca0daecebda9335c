import type { Json } from '../../kernel/json.ts';
import type { BlockName } from '../schema/field-help.ts';

/** What became of a part of a spec. */
export type ChangeKind = 'added' | 'removed' | 'renamed' | 'moved' | 'changed';

/** One difference between two specs, in the terms of the language. */
export interface SpecChange {
  readonly change: ChangeKind;
  /** The block that differs: an agent, its model, a step, an edge. */
  readonly block: BlockName;
  /** The named part that it belongs to, as an author calls it: `agent "writer"`. */
  readonly part: string;
  /** Where it stands: in the later spec, in the earlier one when it was removed. */
  readonly path: string;
  /** The field that was changed; null when the whole part was added, removed, renamed or moved. */
  readonly field: string | null;
  /** Absent when the earlier spec has nothing there. */
  readonly before?: Json;
  /** Absent when the later spec has nothing there. */
  readonly after?: Json;
  /** Whether the spec may do more now, or is watched less; or the opposite. */
  readonly privilege: 'gained' | 'lost' | null;
  /** False for notes, drawings and fields that no run reads. */
  readonly behaviour: boolean;
  /** One sentence. */
  readonly text: string;
}

/** Two specs, compared by what they say. */
export interface SpecComparison {
  /** Gained privileges first, then by place. */
  readonly changes: readonly SpecChange[];
  /** True when a run of one does what a run of the other does. */
  readonly sameBehaviour: boolean;
}
