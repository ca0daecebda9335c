import { jsonOf } from '../../../expressions/port/values.ts';
import { contextOf, type HandlerCall } from '../../handler.ts';
import { FieldFailure } from '../fields.ts';

/** Whether a text matches a pattern in the source's notation. @throws FieldFailure for no pattern */
export type TestPattern = (text: string, pattern: string) => boolean;

/** A pattern may be written between slashes, with flags behind. */
const SLASHES = /^\/(.*?)\/([gimusy]*)$/;
const TEST = '{{ new RegExp($json.source, $json.flags).test($json.text) }}';

interface PatternTest {
  readonly key: string;
  readonly text: string;
  readonly source: string;
  readonly flags: string;
}

function testOf(key: string, text: string, pattern: string): PatternTest {
  const [, source = pattern, flags = ''] = SLASHES.exec(pattern) ?? [];
  return { key, text, source, flags };
}

/**
 * Judges with patterns that may come from anybody: they are tested in the confined interpreter, where
 * one that never ends ends by a limit.
 *
 * @param judge Called again, when it asked for a test whose result was not known, with the result.
 */
export async function withPatterns<T>(
  call: HandlerCall,
  judge: (test: TestPattern) => T,
): Promise<T> {
  const known = new Map<string, unknown>();
  for (;;) {
    const wanted = new Map<string, PatternTest>();
    const judged = judge((text, pattern) => {
      const key = JSON.stringify([text, pattern]);
      if (!known.has(key)) wanted.set(key, testOf(key, text, pattern));
      else if (known.get(key) === undefined)
        throw new FieldFailure(`Invalid regular expression: ${pattern}`);
      return known.get(key) === true;
    });
    if (wanted.size === 0) return judged;
    const tests = [...wanted.values()];
    const items = tests.map(({ text, source, flags }) => ({ json: { text, source, flags } }));
    const rows = await call.evaluator.evaluate(contextOf(call, items), [TEST]);
    tests.forEach(({ key }, at) => {
      const value = rows[at]?.[0];
      known.set(key, value === undefined ? undefined : jsonOf(value));
    });
  }
}
