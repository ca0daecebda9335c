/** A row of a service's error table: what a code answers when nothing more is said. */
export interface ErrorRow {
  readonly status: number;
  readonly message: string;
  readonly retryable?: boolean;
  /** Seconds; sent as the Retry-After header. */
  readonly retryAfter?: number;
}

/** A row of an error table: `row(409, 'It changed since you read it.')`. */
export function row(
  status: number,
  message: string,
  more: Pick<ErrorRow, 'retryable' | 'retryAfter'> = {},
): ErrorRow {
  return { status, message, ...more };
}

/** Code → row. The key set is the code type of the service. */
export type ErrorTable = Readonly<Record<string, ErrorRow>>;

export interface RefusalOptions {
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly status?: number;
  readonly retryAfter?: number;
  /** Request id of the service that made the failure, when it was not ours. */
  readonly requestId?: string;
  readonly cause?: unknown;
}

/**
 * An expected refusal. Use cases throw it; the HTTP layer answers it in the envelope of its
 * service. Anything else that is thrown is answered as the generic internal error.
 */
export class Refusal<Code extends string = string> extends Error {
  override readonly name = 'Refusal';
  readonly code: Code;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;

  constructor(code: Code, row: ErrorRow, options: RefusalOptions = {}) {
    super(
      options.message ?? row.message,
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.code = code;
    this.status = options.status ?? row.status;
    this.details = options.details;
    this.retryAfter = options.retryAfter ?? row.retryAfter;
    this.requestId = options.requestId;
  }
}

/**
 * Binds an error table to a constructor of refusals, so that a code outside the table does not compile.
 * @example const refuse = refusalsOf(PLATFORM_ERRORS); throw refuse('not_found');
 */
export function refusalsOf<Table extends ErrorTable>(
  table: Table,
): (code: keyof Table & string, options?: RefusalOptions) => Refusal<keyof Table & string> {
  return (code, options) => {
    const row = table[code];
    if (row === undefined) throw new TypeError(`code ${code} is not in the error table`);
    return new Refusal(code, row, options);
  };
}
