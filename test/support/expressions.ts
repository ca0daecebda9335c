// One step without a workflow around it, for tests and measures of the interpreter.
import type { ClosableEvaluator } from '../../server/expressions/host/create-evaluator.ts';
import type { CodeMode, StepContext } from '../../server/expressions/port/evaluator.ts';
import { ExpressionFailure } from '../../server/expressions/port/limits.ts';
import { jsonOf } from '../../server/expressions/port/values.ts';
import type { Item } from '../../server/items/item.ts';
import { createReader } from '../../server/items/reader.ts';

export function stepWith(jsons: readonly unknown[], session = 'session'): StepContext {
  return {
    session,
    facts: {
      now: Date.UTC(2026, 0, 31, 12),
      zone: 'America/New_York',
      seed: 7,
      node: { id: 'n', name: 'Step', type: 'set', version: 1, parameters: {} },
      workflow: { id: 'w', name: 'Workflow', active: false },
      execution: { id: '1', mode: 'manual', resumeUrl: '', resumeFormUrl: '' },
      prevNode: null,
      runIndex: 0,
      vars: {},
      extras: {},
    },
    items: jsons.map((json) => ({ json }) as Item),
    reader: createReader({
      shape: { nodes: new Map([['Step', {}]]), connections: [] },
      record: new Map(),
      node: 'Step',
      source: null,
      itemCount: jsons.length,
    }),
  };
}

/** The code of a failure by a limit; what else is thrown goes on. */
async function orCode<Answer>(work: Promise<Answer>): Promise<Answer | { code: string }> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ExpressionFailure) return { code: error.code };
    throw error;
  }
}

/** What one expression gives for one item: its JSON, its error, or the code of a failure. */
export function evaluateOne(
  evaluator: ClosableEvaluator,
  expression: string,
  json: unknown = {},
): Promise<unknown> {
  const results = evaluator.evaluate(stepWith([json]), [expression]).then(([row]) => {
    const [value] = row ?? [];
    if (value === undefined) throw new Error('no result');
    return value.kind === 'failed' ? { failed: value.message } : jsonOf(value);
  });
  return orCode(results);
}

/** What code gives for one item: its answers, or the code of a failure. */
export function runOne(evaluator: ClosableEvaluator, source: string, mode: CodeMode = 'all') {
  const ran = evaluator.runCode(stepWith([{ a: 1 }]), { source, mode, goesOn: false });
  return orCode(ran.then(({ answers }) => answers[0]));
}
