// Small specs that many tests run.

/** The smallest one. */
export const TINY = { version: 'v1', agent: { name: 'tiny' } };

/** One that waits for a person, with a step before it and, unless `tail` is false, one after it. */
export function humanSpec(
  human: Readonly<Record<string, unknown>> = {},
  tail = true,
): Record<string, unknown> {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'sequential',
      name: 'gate',
      steps: [
        { id: 'draft', kind: 'agent', ref: 'writer' },
        { id: 'check', kind: 'human', ref: 'lead' },
        ...(tail ? [{ id: 'close', kind: 'agent', ref: 'writer' }] : []),
      ],
    },
    components: {
      agents: { writer: { name: 'writer' } },
      humans: { lead: { description: 'Good?', timeout_seconds: 60, ...human } },
    },
  };
}

/** An agent, a person who checks its answer, and the function `work.it`. */
export function checkedSpec(human: Readonly<Record<string, unknown>> = {}) {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'sequential',
      name: 'gate',
      steps: [
        { id: 'draft', kind: 'agent', ref: 'writer' },
        { id: 'check', kind: 'human', ref: 'lead' },
        { id: 'work', kind: 'function', ref: 'work' },
      ],
    },
    components: {
      agents: { writer: { name: 'writer' } },
      humans: { lead: { description: 'Good?', timeout_seconds: 60, ...human } },
      functions: { work: { implementation: 'work.it' } },
    },
  };
}
