// What the runs of large stores are made of.

/** Stands in the patterns where each copy has a text of its own. */
export const MARK = 'patterninput';

const agents = { writer: { name: 'writer' }, critic: { name: 'critic' } };
const steps = (...refs: string[]) =>
  refs.map((ref, index) => ({ id: `step_${index}`, kind: 'agent', ref }));
const flow = (name: string, ...refs: string[]) => ({
  version: 'v1',
  agent: { name: 'desk' },
  workflow: { type: 'sequential', name, steps: steps(...refs) },
  components: { agents, humans: { lead: { description: 'Good?' } } },
});
const gated = flow('gate', 'writer');
gated.workflow.steps.push({ id: 'check', kind: 'human', ref: 'lead' });

/** What runs are made of, and how many of a hundred of each. */
export const PATTERNS: readonly (readonly [share: number, spec: object])[] = [
  [62, { version: 'v1', agent: { name: 'tiny' } }],
  [18, flow('answer', 'writer', 'critic', 'writer')],
  [10, flow('review', 'writer', 'critic')],
  [7, { version: 'v1' }],
  [3, gated],
];

export const WORDS =
  'order invoice customer payment refund summary report weather ticket support review approve draft policy budget stream delay retry graph address delivery contract question answer'.split(
    ' ',
  );

/** Every so many runs have their checkpoints and trace; lists read neither. */
export const TRACED = 10;
