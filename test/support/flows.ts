// Item flows in few words, and runs of them: what built-in steps give is said here (decision record 0024).

import type { CallFunction } from '../../server/engine/effect.ts';
import { flowCallOf } from '../../server/engine/flow-call.ts';
import {
  apply,
  createdRun,
  type DrivenRun,
  drive,
  nextTime,
  type TestHandlers,
  testSetup,
} from '../../server/engine/testing/drive.ts';
import { programOf } from '../../server/engine/testing/sample-programs.ts';
import { itemsOfFields, storeOutputs } from '../../server/items/stored-output.ts';
import type { Json, JsonObject } from '../../server/kernel/json.ts';
import { type FlowSpecStep, flowSpec } from './flow-specs.ts';

export function gives(...outputs: (JsonObject[] | null)[]): Json {
  const stored = storeOutputs(outputs.map((list) => list && itemsOfFields(list)));
  return JSON.parse(JSON.stringify({ outputs: stored })) as Json;
}

export function fields(text: Json | undefined): JsonObject[] {
  return JSON.parse(String(text)) as JsonObject[];
}

export const HANDLERS: TestHandlers = {
  'n8n.pass': (text) => gives(fields(text ?? '[]')),
  'n8n.more': (text) =>
    gives(fields(text ?? '[]').map((one) => ({ ...one, n: Number(one['n'] ?? 0) + 1 }))),
  'n8n.none': () => gives([]),
  'n8n.null': () => gives(null),
  'n8n.split': (text) => {
    const list = fields(text ?? '[]');
    return gives(
      list.filter(({ n }) => Number(n) < 3),
      list.filter(({ n }) => Number(n) >= 3),
    );
  },
  'n8n.fails': () => {
    throw new Error('it cannot');
  },
  'n8n.wrong': () => 'no outputs',
  'n8n.goesOn': (text) => ({ ...(gives(fields(text ?? '[]')) as JsonObject), failed: 'it failed' }),
  'n8n.answers': (text) => ({
    ...(gives(fields(text ?? '[]')) as JsonObject),
    response: { body: { ok: true } },
    context: { kept: 1 },
  }),
  'n8n.says': () => ({ ...(gives([{ n: 1 }]) as JsonObject), response: { body: 'in words' } }),
  'n8n.waits': (text) => ({ ...(gives(fields(text ?? '[]')) as JsonObject), wait_until: 9e15 }),
  /** With what another workflow is called: the text says how. */
  'n8n.executeWorkflow': (text) => {
    const list = fields(text ?? '[]');
    const { each = false, waits = true } = list[0] ?? {};
    return { ...(gives(list) as JsonObject), calls: { each, waits } };
  },
  'n8n.prompt': () => ['first?', 'second?'],
};

export const step = (type: string, more: Partial<FlowSpecStep> = {}): FlowSpecStep => ({
  type: `test.${type}`,
  ...more,
});

export type Wires = Parameters<typeof flowSpec>[1];

export function programmed(
  steps: Record<string, FlowSpecStep>,
  wires: Wires,
  more: Parameters<typeof flowSpec>[2] = {},
) {
  return programOf(JSON.stringify(flowSpec(steps, wires, more)));
}

export function run(
  steps: Record<string, FlowSpecStep>,
  wires: Wires,
  input: unknown = [{ n: 1 }],
  more: Parameters<typeof flowSpec>[2] = {},
): DrivenRun {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return drive(programmed(steps, wires, more), testSetup(text), HANDLERS);
}

export const visited = ({ state }: DrivenRun): unknown => state.result['workflow_steps'];

export function callOf(run: DrivenRun) {
  const [effect] = run.queue;
  return flowCallOf(run.program, run.state, effect as CallFunction);
}

export function started(
  steps: Record<string, FlowSpecStep>,
  wires: Wires,
  input: unknown = [{ n: 1 }],
): DrivenRun {
  const made = createdRun(programmed(steps, wires), testSetup(JSON.stringify(input)));
  apply(made, { type: 'start', at: nextTime(made) });
  return made;
}

export function answer(run: DrivenRun, value: Json): void {
  const [effect] = run.queue.splice(0, 1);
  const result = { kind: 'value' as const, value };
  const effect_id = effect?.id ?? '';
  apply(run, { type: 'effect_succeeded', at: nextTime(run), effect_id, result });
}
