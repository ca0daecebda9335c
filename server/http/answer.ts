/** A handler's result when status or headers are not the route's defaults. */
export interface Answer<Body> {
  readonly kind: 'answer';
  readonly status?: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON text, when the handler has it already; bytes are UTF-8. */
  readonly text?: string | Uint8Array;
}

/** Answers with another success status than the first declared, or with headers. */
export function answer<Body>(
  body: Body,
  options: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Answer<Body> {
  return {
    kind: 'answer',
    body,
    headers: options.headers ?? {},
    ...(options.status === undefined ? {} : { status: options.status }),
  };
}

/** Tells an Answer from a plain body. */
export function isAnswer<Body>(value: Body | Answer<Body>): value is Answer<Body> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'answer' &&
    'headers' in value
  );
}

/**
 * Answers with a body that is JSON text already, so that large stored parts need no parsing; it is
 * parsed only where somebody looks at the body.
 */
export function answerText<Body>(
  text: string | Uint8Array,
  options: { status?: number } = {},
): Answer<Body> {
  return {
    kind: 'answer',
    headers: {},
    ...options,
    text,
    get body(): Body {
      return JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString());
    },
  };
}
