import {
  type BlockHelp,
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

/** Help of the agent block and of the blocks inside it. */
export const AGENT_BLOCKS = {
  agent: {
    called: 'an agent',
    help: 'An agent.',
    fields: {
      name: text('Agent name, shown in traces.', need),
      description: text('What the agent is for.', maybe),
      system_prompt: text('Instructions for the model.', maybe),
      model: object('Model block, or just a model name.', { ...maybe, block: 'model' }),
      strategy: object('Strategy block, or just its type.', {
        ...maybe,
        block: 'strategy',
        values: VALUES.strategy,
        standard: 'simple',
      }),
      runtime_preferences: object('Which runtime executes the agent.', {
        ...maybe,
        block: 'runtime_preferences',
      }),
      history: object('Reserved; accepted and not used.', maybe),
      memory: object('What the agent sees of the thread so far.', { ...maybe, block: 'memory' }),
      guardrails: object('Checks per stage.', { ...maybe, block: 'guardrails' }),
      tools: object('Tool selection, or just a list of tool names.', {
        ...maybe,
        block: 'tool_selection',
        refers: 'tools',
      }),
      skills: text('Names from the top-level `skills` map.', { ...texts, refers: 'skills' }),
      middleware: text('Reserved; accepted and not used.', texts),
      defaults: object('Run defaults; only `append_mode` is read.', { block: 'defaults' }),
      as_agent: text(
        'Component workflow that acts as this agent; excludes model, tools and so on.',
        {
          ...filled,
          refers: 'workflows',
        },
      ),
    },
  },
  model: {
    called: 'the model',
    help: 'Model choice and per-call settings.',
    fields: {
      provider: text('Provider name, for example openai, anthropic or dummy.', {
        ...need,
        values: VALUES.provider,
        others: true,
      }),
      name: text('Model name as the provider knows it.', need),
      temperature: number('Sampling temperature; 0 or more when the agent runs.', {
        ...maybe,
        standard: '0.7',
      }),
      max_tokens: integer('Output token cap for one call.', maybe),
      token_budget: integer('Input plus output token ceiling for the whole run; above 0.', {
        ...maybe,
        must: 'be above 0',
      }),
      timeout_seconds: integer('Time limit for one provider call.', maybe),
      extra: object('Provider settings such as `base_url` or `api_key_ref`.'),
    },
  },
  strategy: {
    called: 'the strategy',
    help: 'How the agent loops.',
    fields: {
      type: text('Loop type: one call, tools in a loop, or a plan first.', {
        ...need,
        values: VALUES.strategy,
      }),
      max_iterations: integer('Upper bound of model calls in the loop; 1 or more.', {
        ...maybe,
        standard: '10',
      }),
      stop_on_tool_error: flag('Stop when a tool fails (declared only).', maybe),
      parallel_tool_calls: flag('Allow several tool calls at once (declared only).', maybe),
    },
  },
  runtime_preferences: {
    called: 'the runtime preferences',
    help: 'Which runtime executes the agent.',
    fields: {
      preferred_mode: text('Mode tried first.', {
        ...maybe,
        values: VALUES.runtimeMode,
        standard: 'bridge',
      }),
      fallback_mode: text('Mode used when the preferred one has no runtime.', {
        ...maybe,
        values: VALUES.runtimeMode,
      }),
      allowed_modes: text('Modes that this agent may use.', {
        ...filled,
        ...texts,
        values: VALUES.runtimeMode,
      }),
      native_provider: text('Provider for native mode.', filled),
      adapter_ref: text('Adapter name for adapter mode.', filled),
      bridge_provider: text('Provider hint for bridge mode.', filled),
    },
  },
  memory: {
    help: 'What the agent sees of the thread so far.',
    open: true,
    fields: {
      policy: text('How the history is cut; required when the block is not empty.', {
        values: VALUES.memory,
      }),
      max_messages: integer('Window size (sliding_window).', { standard: '20' }),
      preserve_system_messages: flag('Keep system messages in the window.', { standard: 'true' }),
      summarizer: object('What condenses the history (summary).', { block: 'memory_part' }),
      retriever: object('What fetches notes (retrieval).', { block: 'memory_part' }),
      top_k: integer('Number of notes (retrieval).', { standard: '5' }),
    },
  },
  memory_part: {
    help: 'A component that serves the memory.',
    open: true,
    fields: { ref: text('Function or agent component.', { refers: 'functions_or_agents' }) },
  },
  guardrails: {
    help: 'Checks per stage.',
    open: true,
    fields: {
      input: object('Before the model is called.', { block: 'guardrail', holds: 'list' }),
      output: object('On the final answer.', { block: 'guardrail', holds: 'list' }),
      tool: object('On each tool result.', { block: 'guardrail', holds: 'list' }),
      workflow: object('On each step output; declared on the root agent.', {
        block: 'guardrail',
        holds: 'list',
      }),
    },
  },
  guardrail: {
    help: 'One check.',
    open: true,
    fields: {
      id: text('Name of the check.', need),
      type: text('Kind of check.', { ...need, values: VALUES.guardrail }),
      action: text('What happens when the check fails; what is allowed depends on the stage.', {
        values: ['block', 'warn', 'retry', 'escalate', 'human_review', 'revise', 'redact'],
        standard: 'block',
      }),
      mode: text('Attachment; only middleware is wired.', {
        values: ['middleware'],
        standard: 'middleware',
      }),
      ref: text('Function or agent component for those two kinds.', {
        ...maybe,
        refers: 'functions_or_agents',
      }),
      target: text('Reserved.', maybe),
      config: object('Settings of the check.', { block: 'guardrail_config' }),
    },
  },
  guardrail_config: {
    help: 'Settings of a check.',
    open: true,
    fields: {
      keywords: text('Words that must not occur, in any case (keyword).', texts),
      patterns: text('Regular expressions that must not match (regex).', texts),
    },
  },
  tool_selection: {
    called: 'the tool selection',
    help: 'Tools that this agent may call.',
    fields: {
      include: text('Names from the top-level `tools` map.', { ...texts, refers: 'tools' }),
      exclude: text('Names that the agent must not call.', { ...texts, refers: 'tools' }),
      permissions: object('Declared permissions; absent means unrestricted.', {
        ...maybe,
        block: 'permissions',
      }),
    },
  },
  permissions: {
    called: 'the permissions',
    help: 'What the selected tools may touch.',
    fields: {
      allow_network: flag('Tools may use the network.', maybe),
      allow_filesystem_read: flag('Tools may read files.', maybe),
      allow_filesystem_write: flag('Tools may write files.', maybe),
      allow_shell: flag('Tools may start processes.', maybe),
      allowed_domains: text('Only these hosts and their subdomains in URL arguments.', texts),
      denied_domains: text('Never these hosts and their subdomains; wins over the allowed.', texts),
    },
  },
  defaults: {
    help: 'Run defaults of the agent.',
    open: true,
    fields: {
      append_mode: text('Which messages join the history of the agent.', {
        values: VALUES.appendMode,
        standard: 'auto',
      }),
    },
  },
} satisfies Record<string, BlockHelp>;
