// Specs in few words, and runs of them.
import type { JsonObject } from '../../kernel/json.ts';
import { type DrivenRun, drive, type TestHandlers, testSetup } from './drive.ts';
import { programOf } from './sample-programs.ts';

export const HANDLERS: TestHandlers = {
  up: (text) => String(text).toUpperCase(),
  mark: (text) => `${text}!`,
  no: () => false,
  nothing: () => null,
  broken: () => {
    throw new Error('down');
  },
};

export function spec(
  agent: JsonObject,
  workflow: object | null,
  more: JsonObject = {},
  tools: object = {},
) {
  return JSON.stringify({
    version: 'v1',
    agent: { name: 'root', ...agent },
    ...(workflow === null ? {} : { workflow }),
    tools,
    components: {
      functions: Object.fromEntries(
        Object.keys(HANDLERS).map((name) => [name, { implementation: name }]),
      ),
      ...more,
    },
  });
}

export function go(
  text: string,
  input = 'go',
  target: 'agent' | 'workflow' = 'workflow',
): DrivenRun {
  return drive(programOf(text), testSetup(input, target), HANDLERS);
}

export const call = (id: string, ref: string, more: object = {}) => ({
  id,
  kind: 'function',
  ref,
  ...more,
});
export const agentStep = (id: string, ref: string, more: object = {}) => ({
  id,
  kind: 'agent',
  ref,
  ...more,
});
export const chain = (...steps: object[]) => ({ type: 'sequential', steps });
