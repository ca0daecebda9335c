/** A handler's result when status or headers are not the route's defaults. */
export interface Answer<Body> {
  readonly kind: 'answer';
  readonly status?: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
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
