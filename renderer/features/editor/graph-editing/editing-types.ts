import type { LineAddress, StepAddress } from '../../../../server/spec/edit/graph/operation.ts';
import type { Condition, Workflow } from '../../../../server/spec/schema/spec-types.ts';

/** A line of the drawing that its text holds. */
export interface DrawnLine {
  readonly at: LineAddress;
  readonly from: string;
  readonly to: string;
  readonly label: string | null;
  /** Null for an edge without one, and for a fallback. */
  readonly condition: Condition | null;
}

/** A step of the drawing. */
export interface DrawnStep {
  readonly at: StepAddress;
  readonly key: string;
}

/** What a drawing may change, by the ids of its nodes and edges. */
export interface GraphEditing {
  /** Why nothing can be edited now; null when it can. */
  readonly fault: string | null;
  readonly steps: Readonly<Record<string, DrawnStep>>;
  readonly lines: Readonly<Record<string, DrawnLine>>;
  /** Types of the workflows that are drawn, by their component names; the root one's is empty. */
  readonly workflows: Readonly<Record<string, Workflow['type']>>;
  /** Names of the components that a step may run. */
  readonly parts: {
    readonly agents: readonly string[];
    readonly functions: readonly string[];
    readonly humans: readonly string[];
    readonly workflows: readonly string[];
  };
}
