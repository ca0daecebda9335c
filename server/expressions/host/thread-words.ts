// What the thread of the interpreters and the rest of the program say to each other.
import type { ItemShape } from '../guest/items.ts';
import type { CodeMode } from '../port/evaluator.ts';
import type { ExpressionFailureCode, ExpressionLimits } from '../port/limits.ts';

interface StepWords {
  readonly id: number;
  readonly session: string;
  /** JSON texts: of the facts, of the items, and of the looks at earlier steps by name. */
  readonly facts: string;
  readonly items: string;
  readonly nodes: Readonly<Record<string, string>>;
  /** What the text of the items holds the values of; null when it holds the items. */
  readonly shape: ItemShape | null;
}

export interface EvaluateWords extends StepWords {
  readonly type: 'evaluate';
  readonly expressions: readonly string[];
  readonly places: readonly number[] | null;
}

export interface CodeWords extends StepWords {
  readonly type: 'code';
  readonly source: string;
  readonly mode: CodeMode;
  readonly goesOn: boolean;
}

export type ToExpressionThread =
  | EvaluateWords
  | CodeWords
  /** Nobody waits for it any more. */
  | { readonly type: 'stop'; readonly id: number }
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly call: number;
      readonly isDone: boolean;
      readonly text: string;
    };

export type FromExpressionThread =
  | { readonly type: 'evaluated'; readonly id: number; readonly text: string }
  | {
      readonly type: 'ran';
      readonly id: number;
      readonly text: string;
      readonly log: readonly string[];
    }
  | { readonly type: 'failed'; readonly id: number; readonly code: ExpressionFailureCode }
  | {
      readonly type: 'asks';
      readonly id: number;
      readonly call: number;
      readonly service: string;
      readonly argument: unknown;
    };

export interface ExpressionThreadSetup {
  readonly limits: ExpressionLimits;
  /** The id of the call that computes, and a number that each turn changes. */
  readonly pulse: Int32Array<SharedArrayBuffer>;
}
