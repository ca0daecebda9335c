import {
  type ClosableEvaluator,
  createEvaluator,
} from '../../server/expressions/host/create-evaluator.ts';
import type { StepContext } from '../../server/expressions/port/evaluator.ts';
import type { Handler, HandlerNode } from '../../server/handlers/handler.ts';
import { handleCode } from '../../server/handlers/n8n/code.ts';
import { handleIf } from '../../server/handlers/n8n/if.ts';
import { handleSet } from '../../server/handlers/n8n/set.ts';
import { stepWith } from '../support/expressions.ts';
import { n8nPorts } from '../support/n8n-ports.ts';
import { type Figure, measure, milliseconds } from './harness.ts';

const SUITE = 'expressions';
const THREE = ['{{ $json.a * 2 }}', 'Hi {{ $json.name.toUpperCase() }}!', '{{ $json.list.sum() }}'];
const READS = ['{{ $json.a }}', 'Hi {{ $json.name }}!', '{{ $json.list[2] }}'];
const DATES = ['{{ $json.at.toDateTime().plus({ days: 1 }).toFormat("yyyy-MM-dd") }}'];

function stepOf(count: number, session = 'bench'): StepContext {
  const jsons = Array.from({ length: count }, (_, a) => ({
    a,
    name: `name ${a}`,
    list: [1, 2, a],
    at: '2026-01-31T10:20:30.000Z',
  }));
  return stepWith(jsons, session);
}

function nodeOf(type: string, version: number, parameters: HandlerNode['parameters']): HandlerNode {
  return { name: 'Step', type, version, parameters, onError: 'stop', executeOnce: false };
}

const SET = nodeOf('set', 3.4, {
  includeOtherFields: true,
  assignments: {
    assignments: THREE.map((value, at) => ({
      name: `field${at}`,
      value: `=${value}`,
      type: at === 1 ? 'string' : 'number',
    })),
  },
});
const CODE = nodeOf('code', 2, {
  jsCode: 'return $input.all().map(({ json }) => ({ json: { b: json.a + 1 } }));',
});

/** If of one condition. */
function ifNode(type: string, operation: string, leftValue: string, rightValue: unknown) {
  const condition = { leftValue, rightValue, operator: { type, operation } };
  return nodeOf('if', 2.2, {
    conditions: {
      options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
      conditions: [condition],
      combinator: 'and',
    },
  });
}
const IF = ifNode('number', 'gt', '={{ $json.a }}', 50);
const IF_COMPUTED = ifNode('number', 'gt', '={{ $json.a * 2 }}', 50);
const IF_PATTERN = ifNode('string', 'regex', '={{ $json.name }}', '^name \\d$');

async function run(
  evaluator: ClosableEvaluator,
  handler: Handler,
  node: HandlerNode,
  step: StepContext,
) {
  await handler({
    node,
    kept: {},
    inputs: [step.items],
    step,
    evaluator,
    services: {},
    ...n8nPorts(),
  });
}

/** Expressions in a second of the processor: other programs on the machine do not count. */
async function perSecond(
  evaluator: ClosableEvaluator,
  step: StepContext,
  expressions: readonly string[],
): Promise<number> {
  const before = process.cpuUsage();
  await evaluator.evaluate(step, expressions);
  const { user, system } = process.cpuUsage(before);
  return (step.items.length * expressions.length * 1_000_000) / (user + system);
}

/** Steps of imported workflows: expressions, Set and Code, in the thread and back. */
export async function expressionsBench(): Promise<readonly Figure[]> {
  const evaluator = createEvaluator();
  const hundred = stepOf(100);
  const bulk = stepOf(10_000);
  let session = 0;
  const step = { unit: 'ms', warmup: 200, repeats: 300 };
  const rate = { unit: '/s CPU', warmup: 2, repeats: 10 };
  try {
    return [
      await measure(SUITE, {
        name: 'one expression for one item, there and back',
        ...step,
        budget: { atMost: 0.5 },
        sample: () => milliseconds(() => evaluator.evaluate(stepOf(1), ['{{ $json.a + 1 }}'])),
      }),
      await measure(SUITE, {
        name: '100 items, 3 expressions, there and back',
        ...step,
        budget: { atMost: 2 },
        sample: () => milliseconds(() => evaluator.evaluate(hundred, THREE)),
      }),
      await measure(SUITE, {
        name: 'Set of 3 fields over 100 items',
        ...step,
        budget: { atMost: 3 },
        sample: () => milliseconds(() => run(evaluator, handleSet, SET, hundred)),
      }),
      await measure(SUITE, {
        name: 'Code over 100 items',
        ...step,
        budget: { atMost: 3 },
        sample: () => milliseconds(() => run(evaluator, handleCode, CODE, hundred)),
      }),
      await measure(SUITE, {
        name: 'If over 100 items, a read',
        ...step,
        budget: { atMost: 0.5 },
        sample: () => milliseconds(() => run(evaluator, handleIf, IF, hundred)),
      }),
      await measure(SUITE, {
        name: 'If over 100 items, a computation',
        ...step,
        budget: { atMost: 2 },
        sample: () => milliseconds(() => run(evaluator, handleIf, IF_COMPUTED, hundred)),
      }),
      await measure(SUITE, {
        name: 'If by a pattern over 100 items',
        ...step,
        budget: { atMost: 4 },
        sample: () => milliseconds(() => run(evaluator, handleIf, IF_PATTERN, hundred)),
      }),
      await measure(SUITE, {
        name: 'first step of a run, 100 items, 3 expressions',
        unit: 'ms',
        warmup: 5,
        repeats: 50,
        budget: { atMost: 15 },
        sample: () => {
          session += 1;
          return milliseconds(() => evaluator.evaluate(stepOf(100, `run ${session}`), THREE));
        },
      }),
      await measure(SUITE, {
        name: 'expressions over 10,000 items',
        ...rate,
        budget: { atLeast: 50_000 },
        sample: () => perSecond(evaluator, bulk, THREE),
      }),
      await measure(SUITE, {
        name: 'plain reads over 10,000 items',
        ...rate,
        budget: { atLeast: 200_000 },
        sample: () => perSecond(evaluator, bulk, READS),
      }),
      await measure(SUITE, {
        name: 'dates read, moved and written, 10,000 items',
        ...rate,
        sample: () => perSecond(evaluator, bulk, DATES),
      }),
      await measure(SUITE, {
        name: 'a thread with its first interpreter',
        unit: 'ms',
        warmup: 1,
        repeats: 5,
        budget: { atMost: 1_500 },
        sample: async () => {
          const fresh = createEvaluator();
          const spent = await milliseconds(() => fresh.evaluate(stepOf(1), ['{{ 1 + 1 }}']));
          await fresh.close();
          return spent;
        },
      }),
    ];
  } finally {
    await evaluator.close();
  }
}
