import type { StepFacts } from '../../items/facts.ts';
import type { Item } from '../../items/item.ts';
import type { StepReader } from '../../items/reader.ts';
import type { Value } from './values.ts';

/** Says that nobody waits any more: the part of an `AbortSignal` that is read here. */
interface EndSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A step whose expressions or code are to be computed. */
export interface StepContext {
  /** Steps of one session may share what they compiled and nothing crosses to another: a run's id. */
  readonly session: string;
  readonly facts: StepFacts;
  readonly items: readonly Item[];
  readonly reader: StepReader;
  /** Ends what is computed for it: nobody wants the answer any more. */
  readonly signal?: EndSignal;
}

export type CodeMode =
  /** Once, with all items. */
  | 'all'
  /** Once for each item. */
  | 'each'
  /** Once for each item; `item` is its json. */
  | 'fields_of_each'
  /** A text of Jinja, with the fields of the first item as its variables; it gives a text. */
  | 'template'
  /** A query of SQL over tables `input1`, `input2` …: each item's json holds the `rows` of one. */
  | 'sql';

export interface CodeText {
  readonly source: string;
  readonly mode: CodeMode;
  /** With one item at a time: goes on after one whose code threw. */
  readonly goesOn: boolean;
}

/** What code gave, or threw, for all items or for one. */
export type CodeAnswer =
  | { readonly kind: 'value'; readonly type: string; readonly value: unknown }
  | { readonly kind: 'threw'; readonly message: string; readonly line: number | null };

export interface CodeOutcome {
  readonly answers: readonly CodeAnswer[];
  /** What it wrote to the console, line by line. */
  readonly log: readonly string[];
}

/** What code may ask of the program, by name; the answer is JSON, an error tells why there is none. */
export type Services = Readonly<Record<string, (argument: unknown) => Promise<unknown>>>;

/**
 * Evaluates the source's expressions and runs its code, in a confined interpreter beside the event
 * loop. Each fails with an ExpressionFailure when a limit is passed.
 */
export interface Evaluator {
  /**
   * Values of fields that begin with `=`, without it: for each item, or for those at `places`, one
   * result for each expression.
   */
  evaluate(
    step: StepContext,
    expressions: readonly string[],
    places?: readonly number[],
  ): Promise<readonly (readonly Value[])[]>;
  runCode(step: StepContext, code: CodeText, services?: Services): Promise<CodeOutcome>;
}
