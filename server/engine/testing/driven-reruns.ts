// Reruns of small programs, driven to their end.
import { expect } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import type { RerunEdits } from '../rerun.ts';
import { apply, type DrivenRun, nextTime, rerunOf, settle, type TestHandlers } from './drive.ts';
import { programOf } from './sample-programs.ts';

export const HANDLERS: TestHandlers = {
  up: (text) => String(text).toUpperCase(),
  mark: (text) => `${text}!`,
  broken: () => {
    throw new Error('down');
  },
};

export function program(workflow: object, more: JsonObject = {}) {
  return programOf(
    JSON.stringify({
      version: 'v1',
      agent: { name: 'root' },
      workflow,
      components: {
        agents: { a: { name: 'a' }, team: { name: 'team', as_agent: 'inner' } },
        functions: {
          up: { implementation: 'up' },
          mark: { implementation: 'mark' },
          broken: { implementation: 'broken' },
        },
        humans: { h: { request_type: 'freeform' } },
        workflows: {
          inner: {
            type: 'sequential',
            steps: [
              { id: 'in1', kind: 'function', ref: 'up' },
              { id: 'in2', kind: 'function', ref: 'mark' },
            ],
          },
        },
        ...more,
      },
    }),
  );
}

export const call = (id: string, ref: string) => ({ id, kind: 'function', ref });

export const CHAIN = {
  type: 'sequential',
  steps: [call('one', 'up'), call('two', 'mark'), call('three', 'mark')],
};

export function at(run: DrivenRun, type: string, place: string | null = null): number {
  const index = run.checkpoints.findIndex(
    (row) => row.type === type && (place === null || (row.step_id ?? row.node_id) === place),
  );
  expect(index).toBeGreaterThanOrEqual(0);
  return index;
}

export function again(
  run: DrivenRun,
  index: number,
  edits?: RerunEdits,
  handlers = HANDLERS,
): DrivenRun {
  const made = rerunOf(run, index, edits);
  apply(made, { type: 'start', at: nextTime(made) });
  return settle(made, handlers);
}

export function lines(run: DrivenRun): string[] {
  return run.checkpoints.map((row) => `${row.type}:${row.step_id ?? row.node_id ?? ''}`);
}

export const GRAPH = {
  type: 'graph',
  start: 'x',
  max_steps: 4,
  nodes: { x: call('x', 'up'), y: call('y', 'mark'), z: call('z', 'mark') },
  edges: [
    { from: 'x', to: 'y', condition: { type: 'output_contains', value: 'left' } },
    { from: 'x', to: 'z' },
  ],
};
