// Errors of the engine in the words of the source's engine: authors compare, show and store them.

/** Calls of the code by the place of their bracket: `line:column` → how the callee is written. */
type Calls = Readonly<Record<string, string>>;

/** The engine's name of a text that was handed to `eval`. */
const FILE = '(<input>:';
const state: { calls: Calls } = { calls: {} };

/** Says which code runs. */
export function setCode(calls: Calls): void {
  state.calls = calls;
}

/** The engine itself ends the code: a limit is passed. */
export function isOfEngine(error: unknown): boolean {
  return error instanceof Error && error.name === 'InternalError';
}

interface Frame {
  readonly line: number;
  readonly column: number;
  readonly isNamed: boolean;
}

/** The frames in the author's code, innermost first. */
function framesOf(error: unknown): Frame[] {
  const stack = error instanceof Error ? error.stack : undefined;
  if (typeof stack !== 'string') return [];
  return stack.split('\n').flatMap((frame) => {
    const at = frame.lastIndexOf(FILE);
    if (at < 0) return [];
    const [line, column] = frame
      .slice(at + FILE.length)
      .split(':')
      .map((part) => Number.parseInt(part, 10));
    return [{ line: line ?? 0, column: column ?? 0, isNamed: !frame.includes('<anonymous>') }];
  });
}

/** The line that the source tells of an error: that of the innermost function with a name. */
export function lineOf(error: unknown): number | null {
  return framesOf(error).find(({ isNamed }) => isNamed)?.line ?? null;
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^'(.+)' is not defined$/, '$1 is not defined'],
  [
    /^cannot read property '(.*)' of (undefined|null)$/,
    "Cannot read properties of $2 (reading '$1')",
  ],
  [
    /^cannot set property '(.*)' of (undefined|null)$/,
    "Cannot set properties of $2 (setting '$1')",
  ],
  [/^'(.+)' is read-only$/, 'Assignment to constant variable.'],
  [/^empty array$/, 'Reduce of empty array with no initial value'],
  [/^invalid array length$/, 'Invalid array length'],
  [/^Date value is NaN$/, 'Invalid time value'],
  [/^expecting hex digit$/, 'URI malformed'],
  [/^circular reference$/, 'Converting circular structure to JSON'],
  [/^cannot convert to object$/, 'Cannot convert undefined or null to object'],
  [/^cannot convert symbol to string$/, 'Cannot convert a Symbol value to a string'],
  [
    /^cannot convert bigint to number$/,
    'Cannot mix BigInt and other types, use explicit conversions',
  ],
];

function translated(error: Error): string {
  if (error.message === 'not a function') {
    const [place] = framesOf(error);
    const callee = place === undefined ? undefined : state.calls[`${place.line}:${place.column}`];
    return callee === undefined ? error.message : `${callee} is not a function`;
  }
  for (const [pattern, words] of WORDS)
    if (pattern.test(error.message)) return error.message.replace(pattern, words);
  return error.message;
}

/** The same error, its message in the words of the source's engine. */
export function inWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = translated(error);
  if (message !== error.message)
    Object.defineProperty(error, 'message', { value: message, writable: true, configurable: true });
  return error;
}
