import { expect, test } from 'vitest';
import { reportTables } from './policy-report-model.ts';

test('a report becomes tables of tools, permissions, guardrails and human review', () => {
  const tables = reportTables({
    tools: {
      declared: ['search', 'mail'],
      mcp_imports: [{ name: 'search', config: {} }],
      agent_policies: [
        {
          ...{ agent: 'components.agents.desk', include: ['search'], exclude: [] },
          ...{ unrestricted: true, permissions: { allow_network: true, allowed_domains: [] } },
        },
        { agent: 'agent', include: [], exclude: [], unrestricted: false, permissions: null },
      ],
    },
    guardrails: { agents: [{ agent: 'agent', configured: true, stages: { input: 2, output: 1 } }] },
    human_review: {
      reviewers: ['boss'],
      workflow_steps: [{ workflow: 'workflow', step_id: 'sign', ref: 'boss' }],
      required: true,
      requirements: [{ code: 'W', path: 'tools.mail', reason: 'It may write.' }],
      missing: true,
    },
  });
  expect(tables.map(({ id, rows }) => [id, rows.map(({ cells }) => cells)])).toEqual([
    [
      'tools',
      [
        ['search', 'an MCP server'],
        ['mail', 'the spec'],
      ],
    ],
    ['permissions', [['components.agents.desk', 'search', 'no', 'no', 'any host']]],
    ['guardrails', [['agent', 'input (2), output (1)']]],
    [
      'human_review',
      [
        ['Step sign', 'asks boss'],
        ['tools.mail', 'It may write.'],
      ],
    ],
  ]);
  expect(tables.map(({ warning }) => warning !== undefined)).toEqual([false, true, false, true]);
});

test('what another platform says otherwise is left out', () => {
  const tables = reportTables({ tools: { declared: 'x' }, human_review: [] });
  expect(tables.map(({ rows }) => rows.length)).toEqual([0, 0, 0, 0]);
});
