/** Reads a ticket, then asks a step that cannot end: its graph allows too few steps. */
export const brokenDesk = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: {
    type: 'sequential',
    name: 'ticket-desk',
    steps: [
      { id: 'read', kind: 'agent', ref: 'reader' },
      { id: 'judge', kind: 'workflow', ref: 'inner' },
    ],
  },
  components: {
    agents: { reader: { name: 'reader' } },
    workflows: {
      inner: {
        type: 'graph',
        name: 'inner',
        start: 'again',
        max_steps: 2,
        nodes: { again: { id: 'again', kind: 'agent', ref: 'reader' } },
        edges: [{ from: 'again', to: 'again' }],
      },
    },
  },
};
