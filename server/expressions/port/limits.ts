/** What a run's expressions and code may use. */
export interface ExpressionLimits {
  /** Milliseconds of the processor that the expressions of one step may take. */
  readonly evaluateMs: number;
  /** Milliseconds from the start of code to its end, with all that it waits for. */
  readonly codeMs: number;
  /** MiB that one interpreter may hold. */
  readonly memoryMb: number;
  /** Interpreters that a thread keeps; in sum they hold so many times `memoryMb`. */
  readonly machines: number;
  /** Characters of items and earlier steps that may go in, and of results that may come out. */
  readonly textLength: number;
}

export const DEFAULT_LIMITS: ExpressionLimits = {
  evaluateMs: 10_000,
  codeMs: 300_000,
  memoryMb: 256,
  machines: 3,
  textLength: 100_000_000,
};

/** A limit in so many milliseconds of computing without a pause is past the interpreter's own help. */
export const GRACE_MS = 1_500;

/** The failures of a step that are not the author's error in words; code → what to do. */
export const EXPRESSION_FAILURES = {
  expression_timeout: 'The step computes longer than it may. Look for a loop that never ends.',
  expression_out_of_memory:
    'The step needs more memory than it may have. Give it fewer items at once.',
  expression_too_deep: 'The step calls itself too deeply. Look for a recursion that never ends.',
  expression_input_too_large:
    'The step has more data to read than it may. Give it fewer items at once.',
  expression_output_too_large: 'The step gives more data than it may. Give it fewer items at once.',
  expression_thread_lost:
    'The thread that ran the code was lost after the code had asked for something outside. Run the step again.',
  expression_given_up: 'The step was ended while it computed.',
  expression_engine_failed: 'The interpreter failed. Run the step again.',
} as const;

export type ExpressionFailureCode = keyof typeof EXPRESSION_FAILURES;

/** The step fails by a limit, or the interpreter did. */
export class ExpressionFailure extends Error {
  override readonly name = 'ExpressionFailure';
  readonly code: ExpressionFailureCode;

  constructor(code: ExpressionFailureCode) {
    super(EXPRESSION_FAILURES[code]);
    this.code = code;
  }
}
