import type { Json } from '../../../kernel/json.ts';
import type { Condition, StepKind } from '../../schema/spec-types.ts';
import type { Path, PathSegment } from '../../values/path.ts';
import type { DocumentEdit } from '../edit-value.ts';

/** A step of a workflow: its key in a graph, else its position. */
export interface StepAddress {
  /** The component workflow that has it; null for the root one. */
  readonly workflow: string | null;
  readonly step: PathSegment;
}

/** A line of the drawing that the text holds: an edge by its position, or the fallback of a step. */
export type LineAddress =
  | { readonly workflow: string | null; readonly edge: number }
  | { readonly workflow: string | null; readonly fallback: PathSegment };

/** Where a new step goes. */
export type StepPlace =
  /** Before a position of a list; its length is the end. */
  | { readonly in: 'list'; readonly index: number }
  /** A node of a graph that nothing leads to yet. */
  | { readonly in: 'graph' }
  /** A node of a graph behind another one, with an edge. */
  | { readonly in: 'graph'; readonly after: string }
  /** A node of a graph on an edge: the edge leads to it, and it leads to where the edge led. */
  | { readonly in: 'graph'; readonly on: number };

/** A condition as it is to be written: only the fields that its type uses. */
export interface WrittenCondition {
  readonly type: Condition['type'];
  readonly key?: string;
  readonly value?: Json;
  readonly case_sensitive?: boolean;
  readonly conditions?: readonly WrittenCondition[];
  readonly condition?: WrittenCondition;
}

/** Gives a step another id, everywhere. */
interface RenameStep {
  readonly op: 'rename_step';
  readonly at: StepAddress;
  readonly name: string;
}

/** What a drawing can change of its spec. */
export type GraphOperation = PlannedOperation | RenameStep;

/** The operations that change the document at a few places, which a plan lists. */
export type PlannedOperation =
  | {
      readonly op: 'add_step';
      readonly workflow: string | null;
      readonly id: string;
      readonly kind: StepKind;
      readonly ref: string;
      /** The component is new and is declared with the step. */
      readonly declare: boolean;
      readonly place: StepPlace;
    }
  | {
      readonly op: 'connect';
      readonly from: StepAddress;
      readonly to: StepAddress;
      readonly condition: WrittenCondition | null;
    }
  | {
      readonly op: 'retarget';
      readonly line: LineAddress;
      readonly end: 'from' | 'to';
      readonly to: StepAddress;
    }
  | {
      readonly op: 'set_condition';
      readonly line: LineAddress;
      readonly condition: WrittenCondition | null;
      /** Null takes the label away, undefined leaves it. */
      readonly label?: string | null | undefined;
    }
  | { readonly op: 'delete_line'; readonly line: LineAddress }
  /** Makes an edge the fallback of the step that it leaves. */
  | { readonly op: 'set_fallback'; readonly line: LineAddress }
  | { readonly op: 'delete_step'; readonly at: StepAddress }
  | { readonly op: 'move_step'; readonly at: StepAddress; readonly by: number }
  | {
      readonly op: 'wrap';
      readonly steps: readonly StepAddress[];
      readonly name: string;
      /** Null: they run once. Else they run again while the condition holds, at most so often. */
      readonly loop: { readonly condition: WrittenCondition; readonly rounds: number } | null;
    };

/** A part of a new value whose text is taken from where it stands now, comments included. */
export interface Carry {
  /** The list or mapping of the new value, from its own root. */
  readonly into: Path;
  readonly from: readonly Path[];
}

/** A change of a document, and what of the text goes along with it. */
export type PlannedEdit = DocumentEdit & {
  readonly carries?: readonly Carry[];
  /** A deletion that takes the comments directly above along, because they were carried. */
  readonly along?: boolean;
};

/** The changes of a document that make an operation, one after another; or why there are none. */
export type Plan =
  | {
      readonly edits: readonly PlannedEdit[];
      /** What else the author should know: what goes along, what never happens now. */
      readonly notes: readonly string[];
      /** What is written elsewhere stood in the text before, so its comments must not be lost. */
      readonly moves?: boolean;
      /** The step to look at afterwards. */
      readonly select: StepAddress | null;
    }
  | { readonly problem: string };

/** A plan that cannot be. */
export function refused(problem: string): { readonly problem: string } {
  return { problem };
}
