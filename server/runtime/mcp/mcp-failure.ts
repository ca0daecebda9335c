import { EffectFailure } from '../run-effects.ts';

/** What a failed call of an MCP tool means for the next attempt. */
export type McpFault =
  /** The server could not be reached or went away; another attempt may succeed. */
  | 'unreachable'
  /** The connection was gone before the call was sent; sending it again repeats nothing. */
  | 'stale'
  | 'timed_out'
  | 'stopped'
  /** The server or the settings say no; another attempt says the same. */
  | 'refused';

/** A failed call of an MCP tool; the model reads its message as the tool's answer (spec-v1 11.3). */
export class McpFailure extends EffectFailure {
  readonly fault: McpFault;

  constructor(fault: McpFault, message: string) {
    const timedOut = fault === 'timed_out';
    super(message, {
      retryable: fault === 'unreachable' || fault === 'stale' || timedOut,
      ...(timedOut ? { timed_out: true, type: 'RetryTimeoutError' } : {}),
    });
    this.fault = fault;
  }
}
