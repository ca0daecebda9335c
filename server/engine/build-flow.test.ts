import { describe, expect, it } from 'vitest';
import { buildFlow } from './build-flow.ts';
import type { ProgramEdge, ProgramStep } from './program.ts';

function inputsOf(inputs: readonly unknown[], edges: number): number[] {
  const step = {} as unknown as ProgramStep;
  const steps = new Map([
    ['a', step],
    ['m', step],
  ]);
  const edge = { to: 'm', condition: null, label: null } as unknown as ProgramEdge;
  const metadata = {
    flow: {
      source: 'n8n',
      order: 'v1',
      steps: {
        a: { name: 'A', type: 'n8n-nodes-base.set', version: 3 },
        m: { name: 'M', type: 'n8n-nodes-base.merge', version: 3, inputs },
      },
    },
  };
  const flow = buildFlow(metadata as never, null, steps, {
    a: Array.from({ length: edges }, () => edge),
  });
  return flow?.shape.edgesFrom.get('a')?.map(({ input }) => input) ?? [];
}

describe('the inputs that edges of an item flow feed', () => {
  const fed = { step: 'a', output: 0 };

  it('are those that list the output, each edge one of them', () => {
    expect(inputsOf([[fed], [fed]], 2)).toEqual([0, 1]);
    expect(inputsOf([[], [fed], [], [fed]], 2)).toEqual([1, 3]);
    expect(inputsOf([[], [fed]], 1)).toEqual([1]);
  });

  it('are the first where no list has the output', () => {
    expect(inputsOf([], 1)).toEqual([0]);
    expect(inputsOf([[], []], 2)).toEqual([0, 0]);
  });
});
