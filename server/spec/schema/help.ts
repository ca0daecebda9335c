import {
  type BlockHelp,
  type BlockName,
  filled,
  flag,
  integer,
  maybe,
  need,
  number,
  object,
  text,
  texts,
  VALUES,
} from './field-help.ts';
import { AGENT_BLOCKS } from './help-agent.ts';
import { WORKFLOW_BLOCKS } from './help-workflow.ts';

const LANGUAGE = {
  root: {
    called: 'a spec',
    help: 'A document that describes an agent and, if wanted, its workflow.',
    fields: {
      version: text('Spec language version.', { ...need, values: ['v1'] }),
      metadata: object('Free notes; `environment` is filled in at run time.', maybe),
      agent: object('The root agent.', { ...need, block: 'agent' }),
      workflow: object('The workflow that a run executes; without it the root agent answers.', {
        ...maybe,
        block: 'workflow',
      }),
      components: object('Parts that steps and tools refer to.', { block: 'components' }),
      tools: object('Tools by name.', { block: 'tool', holds: 'map' }),
      mcp_servers: object('MCP servers by name.', { block: 'mcp_server', holds: 'map' }),
      skills: object('Skill bundles by name.', { block: 'skill', holds: 'map' }),
      policies: object('Free policy notes; stored, not enforced.'),
    },
  },
  components: {
    called: 'the components',
    help: 'Reusable parts by name.',
    fields: {
      agents: object('Agents by name.', { block: 'agent', holds: 'map' }),
      workflows: object('Workflows by name.', { block: 'workflow', holds: 'map' }),
      functions: object('Functions by name.', { block: 'function', holds: 'map' }),
      humans: object('Human reviewers by name.', { block: 'human', holds: 'map' }),
    },
  },
  function: {
    called: 'a function',
    help: 'A function component.',
    fields: {
      implementation: text('Function to call, `module.path.name`.', need),
      input_schema: object('JSON Schema of the input (declared only).', maybe),
      output_schema: object('JSON Schema of the output (declared only).', maybe),
    },
  },
  human: {
    called: 'a human step',
    help: 'A human step: the run pauses until somebody answers.',
    fields: {
      description: text('Title and question shown to the reviewer.', filled),
      assignee: text('Who should answer.', filled),
      timeout_seconds: integer('Deadline; none when unset or not positive.', maybe),
      on_timeout: text('What happens at the deadline.', {
        values: VALUES.onTimeout,
        standard: 'fail',
      }),
      request_type: text('Kind of answer wanted.', {
        values: VALUES.requestType,
        standard: 'approval',
      }),
      options: text('Choices.', { ...filled, ...texts }),
      default_option: text('Preselected choice; must be one of the options.', filled),
      context: object('Extra facts for the reviewer.', maybe),
      response_role: text('Role under which the answer joins the thread.', {
        ...maybe,
        values: VALUES.responseRole,
      }),
    },
  },
  tool: {
    called: 'a tool',
    help: 'A tool; set exactly one of implementation, mcp and agent.',
    fields: {
      description: text('What the tool does, for the model.', need),
      parameters: object('JSON Schema of the arguments.'),
      implementation: text('Function to call, `module.path.name`.', filled),
      mcp: object('Remote tool on an MCP server.', { ...filled, block: 'mcp_tool' }),
      agent: text('Component agent behind the tool.', { ...filled, refers: 'agents' }),
    },
  },
  mcp_tool: {
    help: 'Remote tool on an MCP server.',
    open: true,
    fields: {
      server: text('Name in `mcp_servers`.', { ...need, refers: 'mcp_servers' }),
      name: text('Remote tool name; the local name when unset.', maybe),
    },
  },
  skill: {
    called: 'a skill',
    help: 'A skill bundle: instructions that join the system prompt.',
    fields: {
      source: text('Folder or file of the bundle; no `~`, no `..`.', {
        ...need,
        must: 'stay inside',
      }),
      description: text('What the skill adds.', maybe),
    },
  },
  mcp_server: {
    called: 'an MCP server',
    help: 'An MCP server.',
    fields: {
      transport: text('Connection kind.', { ...need, values: VALUES.transport }),
      command: text('Program (stdio).', filled),
      args: text('Program arguments (stdio).', texts),
      env: text('Environment of the program, added to that of the service (stdio).', {
        ...maybe,
        holds: 'map',
      }),
      cwd: text('Working folder (stdio).', { ...filled, must: 'stay inside' }),
      url: text('Endpoint (http).', filled),
      sse_url: text('Event stream address (sse, optional for http).', filled),
      message_url: text('Post address (sse).', filled),
      headers: text('Request headers.', { ...maybe, holds: 'map' }),
      timeout: number('Request time limit in seconds.', { ...maybe, standard: '30' }),
      max_response_bytes: integer('Largest response.', { ...maybe, standard: '10485760' }),
      sse_read_timeout: number('Idle limit of the stream in seconds.', maybe),
      verify: flag('Check TLS certificates.', { ...maybe, standard: 'true' }),
      ca_bundle: text('File with trusted CAs.', { ...filled, must: 'stay inside' }),
      client_cert: text('Client certificate file.', { ...filled, must: 'stay inside' }),
      client_key: text('Client key file.', { ...filled, must: 'stay inside' }),
      client_key_ref: text('Name of the secret that holds the client key.', filled),
    },
  },
  ...AGENT_BLOCKS,
  ...WORKFLOW_BLOCKS,
} satisfies Record<BlockName, BlockHelp>;

/** The blocks to the letter, from which their types follow. */
export type Language = typeof LANGUAGE;

/** Every block of a spec: its fields in the order of spec-v1 4, how they are read, what they mean. */
export const BLOCKS: Readonly<Record<BlockName, BlockHelp>> = LANGUAGE;
