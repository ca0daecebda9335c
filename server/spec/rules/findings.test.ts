import { describe, expect, test } from 'vitest';
import { A, at, findingsOf, graph, M, N, steps, when } from './testing/fragments.ts';

describe('spec-v1 6: every finding with its path', () => {
  const rows: [name: string, fragment: string, wanted: string[]][] = [
    [
      'family 2',
      'agent: {tools: {include: [t, z], exclude: [t], permissions: {}}}',
      ['E_TOOL_CONFLICT agent.tools', 'E_TOOL_REF agent.tools'],
    ],
    [
      'families 2 and 3 over root first, then components',
      'agent: {skills: [s], tools: {include: [z], permissions: {}}}\ncomponents: {agents: {b: {skills: [s], tools: {include: [z], permissions: {}}}}}',
      [
        'E_TOOL_REF agent.tools',
        'E_TOOL_REF components.agents.b.tools',
        'E_SKILL_REF agent.skills',
        'E_SKILL_REF components.agents.b.skills',
      ],
    ],
    [
      'family 4',
      'agent: {runtime_preferences: {preferred_mode: native, fallback_mode: adapter, allowed_modes: [bridge]}}',
      [
        'E_RUNTIME_PREFERRED_NOT_ALLOWED agent.runtime_preferences.preferred_mode',
        'E_RUNTIME_FALLBACK_NOT_ALLOWED agent.runtime_preferences.fallback_mode',
        'W_RUNTIME_NATIVE_PROVIDER agent.runtime_preferences.native_provider',
      ],
    ],
    [
      '',
      'agent: {runtime_preferences: {preferred_mode: adapter}}',
      ['W_RUNTIME_ADAPTER_REF agent.runtime_preferences.adapter_ref'],
    ],
    [
      'nothing to say of modes',
      'agent: {runtime_preferences: {preferred_mode: native, native_provider: openai, allowed_modes: [native]}}\ncomponents: {agents: {a: {runtime_preferences: {preferred_mode: adapter, adapter_ref: x}}}}',
      [],
    ],
    [
      'family 5',
      graph(`${N}, ${M}`, '{from: n, to: m}, {from: y, to: z}', ', max_steps: 0'),
      [
        'E_GRAPH_MAX_STEPS workflow.max_steps',
        'E_GRAPH_EDGE_FROM workflow.edges[1]',
        'E_GRAPH_EDGE_TO workflow.edges[1]',
      ],
    ],
    ['', when('type: output_equals'), [`E_CONDITION_VALUE ${at}.value`]],
    [
      'a null value is none',
      when('type: status_is, value: null'),
      [`E_CONDITION_VALUE ${at}.value`],
    ],
    [
      'false and 0 are values',
      when(
        'type: all_of, conditions: [{type: variable_equals, key: k, value: false}, {type: metadata_equals, key: k, value: 0}]',
      ),
      [],
    ],
    [
      '',
      when('type: variable_equals'),
      [`E_CONDITION_KEY ${at}.key`, `E_CONDITION_VALUE ${at}.value`],
    ],
    [
      'an empty key is none',
      when('type: metadata_equals, key: "", value: 1'),
      [`E_CONDITION_KEY ${at}.key`],
    ],
    ['', when('type: any_of, conditions: []'), [`E_CONDITION_CHILDREN ${at}.conditions`]],
    ['', when('type: not, condition: null'), [`E_CONDITION_CHILD ${at}.condition`]],
    [
      'nested',
      when('type: not, condition: {type: all_of, conditions: [{type: never}, {type: not}]}'),
      [`E_CONDITION_CHILD ${at}.condition.conditions[1].condition`],
    ],
    [
      'fields that the rule does not use are ignored',
      when('type: always, value: x, key: "", conditions: [{type: not}], condition: {type: not}'),
      [],
    ],
    [
      'family 6',
      'agent: {strategy: react}\ncomponents: {agents: {a: {strategy: plan-act}, b: {strategy: simple}}}',
      ['W_AGENT_MODEL agent.model', 'W_AGENT_MODEL components.agents.a.model'],
    ],
    [
      'family 7',
      'tools: {t: {implementation: subprocess.run}, u: {description: U, implementation: eval}}\ncomponents: {functions: {f: {implementation: os.system}, g: {implementation: oslo.log}}}',
      [
        'E_UNSAFE_TOOL_IMPORT tools.t.implementation',
        'E_UNSAFE_TOOL_IMPORT tools.u.implementation',
        'E_UNSAFE_FUNCTION_IMPORT components.functions.f.implementation',
        'W_HUMAN_APPROVAL_MISSING workflow',
      ],
    ],
    [
      'an empty selection written out',
      'agent: {tools: []}',
      ['W_TOOL_POLICY_UNRESTRICTED agent.tools.permissions', 'W_HUMAN_APPROVAL_MISSING workflow'],
    ],
    [
      'all permissions',
      'agent: {tools: {include: [t], permissions: {allow_network: yes, allow_shell: yes, allow_filesystem_write: yes, allow_filesystem_read: yes}}}',
      [
        'W_TOOL_NETWORK_UNRESTRICTED agent.tools.permissions.allowed_domains',
        'W_TOOL_SHELL_ALLOWED agent.tools.permissions.allow_shell',
        'W_TOOL_FILESYSTEM_WRITE_ALLOWED agent.tools.permissions.allow_filesystem_write',
        'W_TOOL_FILESYSTEM_READ_ALLOWED agent.tools.permissions.allow_filesystem_read',
        'W_HUMAN_APPROVAL_MISSING workflow',
      ],
    ],
    [
      'a human step anywhere is enough',
      'agent: {tools: [t]}\ncomponents: {workflows: {w: {type: handoff, participants: [{id: x, kind: human, ref: h}]}}}',
      ['W_TOOL_POLICY_UNRESTRICTED agent.tools.permissions'],
    ],
    [
      'a disabled one is not',
      `agent: {tools: [t]}\n${steps(`${A}, {id: x, kind: human, ref: h, enabled: no}`)}`,
      ['W_TOOL_POLICY_UNRESTRICTED agent.tools.permissions', 'W_HUMAN_APPROVAL_MISSING workflow'],
    ],
    [
      'family 8',
      'components: {humans: {h: {default_option: x, request_type: selection, response_role: system}}}',
      [
        'E_HUMAN_DEFAULT_OPTION_NOT_IN_OPTIONS components.humans.h.default_option',
        'E_HUMAN_SELECTION_REQUIRES_OPTIONS components.humans.h.options',
        'W_HUMAN_RESPONSE_ROLE_SYSTEM components.humans.h.response_role',
      ],
    ],
    [
      'family 9',
      'agent: {memory: {max_messages: 2}}\ncomponents: {agents: {a: {memory: {}}}}',
      ['E_MEMORY_POLICY_REQUIRED agent.memory.policy'],
    ],
    [
      '',
      'agent: {guardrails: {input: [x, {}, {id: i, type: regex, mode: inline, action: redact}], other: [x], tool: text}}',
      [
        'E_GUARDRAIL_FIELDS agent.guardrails.input[0]',
        'E_GUARDRAIL_FIELDS agent.guardrails.input[1].id',
        'E_GUARDRAIL_FIELDS agent.guardrails.input[1].type',
        'E_GUARDRAIL_MODE_UNSUPPORTED agent.guardrails.input[2].mode',
        'E_GUARDRAIL_ACTION_UNSUPPORTED agent.guardrails.input[2].action',
        'W_GUARDRAIL_STAGE_IGNORED agent.guardrails.other',
        'E_GUARDRAIL_FIELDS agent.guardrails.tool',
      ],
    ],
    [
      'stages that nobody looks at: a mistyped one is refused',
      'agent: {guardrails: {inputs: [{id: i}], note: none, x: {}, y: [], review: [{id: i}]}}\ncomponents: {agents: {a: {guardrails: {workflow: [{id: i, type: keyword}]}}}}',
      [
        'E_GUARDRAIL_FIELDS agent.guardrails.inputs',
        'W_GUARDRAIL_STAGE_IGNORED agent.guardrails.review',
        'W_GUARDRAIL_STAGE_IGNORED components.agents.a.guardrails.workflow',
      ],
    ],
    [
      'types and refs of guardrails',
      'agent: {guardrails: {input: [{id: [a], type: Keyword}, {id: i, type: function}, {id: i, type: function, ref: g}, {id: i, type: agent, ref: [a]}, {id: i, type: agent, ref: a}, {id: 7, type: function, ref: f}, {id: {}, type: []}]}}',
      [
        'E_GUARDRAIL_FIELDS agent.guardrails.input[0].id',
        'E_GUARDRAIL_TYPE agent.guardrails.input[0].type',
        'E_GUARDRAIL_REF agent.guardrails.input[1].ref',
        'E_GUARDRAIL_REF agent.guardrails.input[2].ref',
        'E_GUARDRAIL_REF agent.guardrails.input[3].ref',
        'E_GUARDRAIL_FIELDS agent.guardrails.input[6].id',
        'E_GUARDRAIL_FIELDS agent.guardrails.input[6].type',
      ],
    ],
    [
      'configs of guardrails that cannot be applied',
      'agent: {guardrails: {input: [{id: i, type: keyword, config: x}, {id: i, type: keyword, config: {keywords: x}}, {id: i, type: keyword, config: {keywords: {a: b}}}, {id: i, type: keyword, config: {keywords: null}}, {id: i, type: keyword, config: {keywords: [a, 1, on, [b], 2026-01-31]}}, {id: i, type: regex, config: {patterns: ["(", a, 5]}}]}}',
      [
        'E_GUARDRAIL_CONFIG agent.guardrails.input[0].config',
        'E_GUARDRAIL_CONFIG agent.guardrails.input[1].config.keywords',
        'E_GUARDRAIL_CONFIG agent.guardrails.input[2].config.keywords',
        'E_GUARDRAIL_CONFIG agent.guardrails.input[3].config.keywords',
        'E_GUARDRAIL_CONFIG agent.guardrails.input[4].config.keywords[1]',
        'E_GUARDRAIL_CONFIG agent.guardrails.input[4].config.keywords[2]',
        'E_GUARDRAIL_CONFIG agent.guardrails.input[4].config.keywords[3]',
        'E_GUARDRAIL_CONFIG agent.guardrails.input[4].config.keywords[4]',
        'E_GUARDRAIL_CONFIG agent.guardrails.input[5].config.patterns[0]',
        'E_GUARDRAIL_CONFIG agent.guardrails.input[5].config.patterns[2]',
      ],
    ],
    [
      'what a check does not read must not be all that it has',
      'agent: {guardrails: {output: [{id: i, type: keyword, config: {patterns: [x]}}, {id: i, type: regex, config: {pattern: [x]}}, {id: i, type: keyword, keywords: [x]}, {id: i, type: keyword, confg: {keywords: [x]}}, {id: i, type: regex, ref: f}, {id: i, type: keyword, config: {keywords: [x], patterns: [y]}}, {id: i, type: keyword, note: n, config: {keywords: [x], note: n}}, {id: i, type: keyword, note: n, config: {patterns: []}}]}}',
      [
        'E_GUARDRAIL_CONFIG agent.guardrails.output[0].config.patterns',
        'E_GUARDRAIL_CONFIG agent.guardrails.output[1].config.pattern',
        'E_GUARDRAIL_CONFIG agent.guardrails.output[2].keywords',
        'E_GUARDRAIL_CONFIG agent.guardrails.output[3].confg',
        'E_GUARDRAIL_CONFIG agent.guardrails.output[4].ref',
        'E_GUARDRAIL_CONFIG agent.guardrails.output[5].config.patterns',
      ],
    ],
    [
      'empty counts as absent',
      'agent: {guardrails: {input: {}, output: "", tool: [], workflow: [{id: i, type: keyword, mode: "", action: "", ref: "", config: []}, {id: j, type: regex, config: {patterns: ""}}, {id: k, type: keyword, config: {keywords: {}}}]}}',
      [],
    ],
    [
      'actions by stage',
      'agent: {guardrails: {output: [{id: i, type: regex, action: revise}, {id: j, type: regex, action: redact}], tool: [{id: k, type: regex, action: redact}], workflow: [{id: l, type: regex, action: redact}, {id: m, type: regex, action: 5}]}}',
      [
        'E_GUARDRAIL_ACTION_UNSUPPORTED agent.guardrails.output[1].action',
        'E_GUARDRAIL_ACTION_UNSUPPORTED agent.guardrails.workflow[1].action',
      ],
    ],
    [
      'family 10',
      'tools: {u: {description: U}, v: {description: V, implementation: m.v, agent: a, parameters: {type: object}}, w: {description: W, agent: z}}',
      [
        'E_TOOL_NO_BACKING tools.u',
        'E_TOOL_MULTIPLE_BACKINGS tools.v',
        'W_AGENT_TOOL_PARAMETERS_IGNORED tools.v.parameters',
        'E_AGENT_TOOL_UNKNOWN_AGENT tools.w.agent',
      ],
    ],
    [
      'family 11',
      'agent: {as_agent: z, skills: [], tools: null, defaults: {}, memory: {}}',
      ['E_AS_AGENT_UNKNOWN_WORKFLOW agent.as_agent'],
    ],
    [
      'each forbidden field',
      'agent: {as_agent: z, defaults: {append_mode: never}}\ncomponents: {agents: {a: {as_agent: z, model: m}, b: {as_agent: z, history: {x: 1}}}}',
      [
        'E_AS_AGENT_FIELDS agent',
        'E_AS_AGENT_UNKNOWN_WORKFLOW agent.as_agent',
        'E_AS_AGENT_FIELDS components.agents.a',
        'E_AS_AGENT_UNKNOWN_WORKFLOW components.agents.a.as_agent',
        'E_AS_AGENT_FIELDS components.agents.b',
        'E_AS_AGENT_UNKNOWN_WORKFLOW components.agents.b.as_agent',
      ],
    ],
    [
      'family 12',
      'mcp_servers: {a: {transport: stdio, verify: no}, b: {transport: http, command: x, verify: no}, c: {transport: sse, url: x}}\ntools: {u: {description: U, mcp: {name: far}}, v: {description: V, mcp: {server: 5}}, w: {description: W, mcp: {server: a}}}',
      [
        'E_MCP_MISSING_FIELD mcp_servers.a.command',
        'E_MCP_MISSING_FIELD mcp_servers.b.url',
        'W_MCP_TLS_VERIFY_DISABLED mcp_servers.b.verify',
        'E_MCP_MISSING_FIELD mcp_servers.c.sse_url',
        'E_MCP_TOOL_NO_SERVER tools.u.mcp',
        'E_MCP_UNKNOWN_SERVER tools.v.mcp.server',
      ],
    ],
    [
      'family 13, over a guardrail, a summarizer and a tool',
      'components: {agents: {a: {guardrails: {input: [{id: g, type: agent, ref: b}]}}, b: {memory: {policy: summary, summarizer: {ref: c}}}, c: {name: c, tools: {include: [u], permissions: {}}}}}\ntools: {u: {description: U, agent: a}}',
      ['E_BUILD_CYCLE components'],
    ],
    [
      'an excluded tool makes a cycle too',
      'components: {agents: {a: {tools: {include: [u], exclude: [u], permissions: {}}}}}\ntools: {u: {description: U, agent: a}}',
      ['E_TOOL_CONFLICT components.agents.a.tools', 'E_BUILD_CYCLE components'],
    ],
    [
      'a function of the same name serves before an agent',
      'components: {functions: {a: {implementation: m.a}}, agents: {a: {memory: {policy: summary, summarizer: {ref: a}}}, b: {memory: {policy: summary, summarizer: x}}}}',
      [],
    ],
  ];
  const named = rows.map(([name, ...row]) => [name || (row[1][0] ?? ''), ...row] as const);
  test.each(named)('%s', (_, fragment, wanted) => {
    expect(findingsOf(fragment)).toEqual(wanted);
  });

  test('the families follow one another in the order of the table', () => {
    const codes = findingsOf(`
agent:
  strategy: react
  skills: [z]
  as_agent: z
  memory: {x: 1}
  runtime_preferences: {preferred_mode: adapter}
  tools: {include: [z]}
${graph(`${N}, ${M}`, '', ', max_steps: 0')}
components:
  humans: {h: {request_type: selection}}
  workflows: {w: {type: sequential, steps: [{id: a, kind: workflow, ref: w}]}}
tools: {u: {description: U}}
mcp_servers: {s: {transport: http}}
`).map((line) => line.split(' ')[0]);
    expect(codes).toEqual([
      'W_GRAPH_NODE_UNREACHABLE',
      'E_STEP_WORKFLOW_SELF_REF',
      'E_TOOL_REF',
      'E_SKILL_REF',
      'W_RUNTIME_ADAPTER_REF',
      'E_GRAPH_MAX_STEPS',
      'W_AGENT_MODEL',
      'W_TOOL_POLICY_UNRESTRICTED',
      'W_HUMAN_APPROVAL_MISSING',
      'E_HUMAN_SELECTION_REQUIRES_OPTIONS',
      'E_MEMORY_POLICY_REQUIRED',
      'E_TOOL_NO_BACKING',
      'E_AS_AGENT_FIELDS',
      'E_AS_AGENT_UNKNOWN_WORKFLOW',
      'E_MCP_MISSING_FIELD',
      'E_BUILD_CYCLE',
    ]);
  });
});
