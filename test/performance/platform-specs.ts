/** The smallest program. */
export const TINY = { version: 'v1', agent: { name: 'tiny', system_prompt: 'Answer.' } };

/** A sequential workflow of so many agent steps. */
export function chainOf(steps: number): object {
  return {
    version: 'v1',
    agent: { name: 'lead' },
    workflow: {
      type: 'sequential',
      name: 'chain',
      steps: Array.from({ length: steps }, (_, i) => ({
        id: `s${i}`,
        kind: 'agent',
        ref: 'writer',
      })),
    },
    components: { agents: { writer: { name: 'writer' } } },
  };
}

/** So many agents side by side: each answers the input, so that no text grows from step to step. */
export function fanOf(participants: number): object {
  return {
    version: 'v1',
    agent: { name: 'lead' },
    workflow: {
      type: 'concurrent',
      name: 'fan',
      participants: Array.from({ length: participants }, (_, i) => ({
        id: `p${i}`,
        kind: 'agent',
        ref: 'writer',
      })),
    },
    components: { agents: { writer: { name: 'writer' } } },
  };
}

let turn = 0;

/** A spec of the median size that no cache has seen. */
export function newSpec(): object {
  turn += 1;
  return {
    version: 'v1',
    metadata: { name: `made-${turn}` },
    agent: { name: 'desk', system_prompt: `Route request ${turn}.` },
    workflow: {
      type: 'graph',
      name: 'triage',
      start: 'read',
      nodes: {
        read: { id: 'read', kind: 'agent', ref: 'reader' },
        write: { id: 'write', kind: 'agent', ref: 'writer' },
        close: { id: 'close', kind: 'agent', ref: 'writer' },
      },
      edges: [
        { from: 'read', to: 'write' },
        { from: 'write', to: 'close' },
      ],
    },
    components: {
      agents: {
        reader: { name: 'reader', system_prompt: 'Read.' },
        writer: { name: 'writer', system_prompt: 'Write.' },
      },
    },
  };
}

/** People who are asked one after the other, with so many agents before each but the first. */
export function gatesOf(gates: number, agents: number): object {
  const person = (at: number) => ({ id: `ask-${at}`, kind: 'human', ref: 'lead' });
  const between = (at: number) =>
    Array.from({ length: agents }, (_, i) => ({
      id: `do-${at}-${i}`,
      kind: 'agent',
      ref: 'writer',
    }));
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'sequential',
      name: 'gates',
      steps: [
        person(0),
        ...Array.from({ length: gates }, (_, at) => [...between(at), person(at + 1)]).flat(),
      ],
    },
    components: {
      agents: { writer: { name: 'writer' } },
      humans: { lead: { description: 'Go on?', timeout_seconds: 3600 } },
    },
  };
}
