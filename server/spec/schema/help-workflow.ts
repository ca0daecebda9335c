import {
  any,
  type BlockHelp,
  filled,
  flag,
  integer,
  maybe,
  need,
  object,
  text,
  texts,
  VALUES,
} from './field-help.ts';

const WORKFLOW_FIELDS = {
  type: text('Workflow kind.', { ...need, values: VALUES.workflow }),
  name: text('Workflow name, shown in traces and graphs.', filled),
  description: text('What the workflow does.', maybe),
};
const PARTICIPANTS = object('Participants in order.', { ...need, block: 'step', holds: 'list' });

/** Help of the workflow kinds and of what they hold. */
export const WORKFLOW_BLOCKS = {
  workflow: {
    called: 'a workflow',
    help: 'A workflow; `type` decides which fields it has.',
    fields: WORKFLOW_FIELDS,
  },
  sequential: {
    called: 'a workflow',
    help: 'Steps one after another; each gets the answer of the one before.',
    fields: {
      ...WORKFLOW_FIELDS,
      steps: object('Steps in order.', { ...need, block: 'step', holds: 'list' }),
    },
  },
  graph: {
    called: 'a workflow',
    help: 'Nodes joined by conditional edges; the first matching edge is taken.',
    fields: {
      ...WORKFLOW_FIELDS,
      start: text('First node.', { ...need, refers: 'step_id' }),
      nodes: object('Nodes by id.', { ...need, block: 'step', holds: 'map' }),
      edges: object('Edges in the order in which they are tried.', {
        ...need,
        block: 'edge',
        holds: 'list',
      }),
      max_steps: integer('Most nodes visited in one run; 1 or more.', { standard: '50' }),
    },
  },
  concurrent: {
    called: 'a workflow',
    help: 'All participants at once, each with the run input.',
    fields: {
      ...WORKFLOW_FIELDS,
      participants: PARTICIPANTS,
      max_iterations: integer('Accepted; no effect.', maybe),
    },
  },
  handoff: {
    called: 'a workflow',
    help: 'Participants take turns on a shared thread.',
    fields: {
      ...WORKFLOW_FIELDS,
      participants: PARTICIPANTS,
      selector: object('Who speaks next.', { block: 'selector' }),
      max_iterations: integer('Most turns.', maybe),
    },
  },
  'group-chat': {
    called: 'a workflow',
    help: 'Rounds over all participants on a shared thread.',
    fields: {
      ...WORKFLOW_FIELDS,
      participants: PARTICIPANTS,
      rounds: integer('Number of rounds; 1 or more.', { standard: '1' }),
      max_iterations: integer('Accepted; rounds decide.', maybe),
    },
  },
  selector: {
    called: 'the selector',
    help: 'Who speaks next in a handoff.',
    fields: {
      type: text('A fixed sequence, or each participant once.', {
        values: VALUES.selector,
        standard: 'sequence',
      }),
      sequence: text('Participant ids in speaking order.', { ...texts, refers: 'step_id' }),
    },
  },
  step: {
    called: 'a step',
    help: 'One step, node or participant.',
    fields: {
      id: text('Name of the step inside its workflow.', need),
      kind: text('What the step runs; guardrail runs a component agent.', {
        ...need,
        values: VALUES.stepKind,
      }),
      ref: text('Component name of that kind.', { ...need, refers: 'step' }),
      enabled: flag('Disabled steps are left out.', { standard: 'true' }),
      on_error: text('Reaction to a failure, after the retries.', {
        values: VALUES.onError,
        standard: 'fail',
      }),
      fallback_ref: text('Step to run instead (sequential and graph).', {
        ...filled,
        refers: 'step_id',
      }),
      max_retries: integer('Extra attempts.', { standard: '0' }),
      timeout_seconds: integer(
        'Time limit of one attempt; none when unset or not positive.',
        maybe,
      ),
    },
  },
  edge: {
    called: 'an edge',
    help: 'Way from one node to another.',
    fields: {
      from: text('Source node.', { ...need, refers: 'step_id', also: 'from_' }),
      to: text('Target node.', { ...need, refers: 'step_id' }),
      condition: object('Rule; absent means always.', { ...maybe, block: 'condition' }),
      label: text('Text on the drawn edge.', maybe),
    },
  },
  condition: {
    called: 'a condition',
    sparse: true,
    help: 'Rule that lets an edge be taken.',
    fields: {
      type: text('Rule type.', { ...need, values: VALUES.condition }),
      value: any('Expected value.'),
      key: text('Metadata or variable name.', maybe),
      case_sensitive: flag('Compare text exactly.', { standard: 'false' }),
      conditions: object('Rules for all_of and any_of.', { block: 'condition', holds: 'list' }),
      condition: object('Rule negated by not.', { ...maybe, block: 'condition' }),
    },
  },
} satisfies Record<string, BlockHelp>;
