import { describe, expect, test } from 'vitest';
import { specOf } from '../load/testing/spec-of.ts';
import { environmentPolicyFindings } from '../reports/environment-policy.ts';
import { policyReport } from '../reports/policy-report.ts';

describe('spec-v1 8: the policy report', () => {
  const loose = {
    agent: {
      name: 'r',
      memory: { policy: 7, x: 1 },
      guardrails: { workflow: [{}], input: [{}, {}], output: [], tool: 'x' },
      tools: {
        include: ['t'],
        exclude: ['z'],
        permissions: { allow_network: true, allowed_domains: ['x'] },
      },
    },
    components: {
      agents: { a: { name: 'a', tools: [], memory: { policy: 'full' } }, b: { name: 'b' } },
      humans: { z: {}, y: {} },
      workflows: {
        w: {
          type: 'concurrent',
          participants: [
            { id: 'p', kind: 'human', ref: 'y' },
            { id: 'q', kind: 'human', ref: 'z', enabled: false },
          ],
        },
      },
    },
    tools: {
      t: { description: 'd', mcp: { server: 'm', name: 'n' } },
      b: { description: 'd', agent: 'a' },
    },
    mcp_servers: { m: { transport: 'stdio', command: 'c' } },
  };

  test('counts and lists every part, root first', () => {
    const report = policyReport(specOf(loose));
    expect(report).toMatchObject({
      valid: true,
      version: 'v1',
      summary: {
        agent_count: 3,
        workflow_count: 1,
        tool_count: 2,
        mcp_tool_count: 1,
        human_reviewer_count: 2,
        human_review_step_count: 1,
      },
      memory: {
        agents: [
          { agent: 'agent', configured: true, policy: null, config: { policy: 7, x: 1 } },
          { agent: 'components.agents.a', configured: true, policy: 'full' },
          { agent: 'components.agents.b', configured: false, policy: null, config: {} },
        ],
      },
      tools: {
        declared: ['b', 't'],
        mcp_imports: [{ name: 't', config: { server: 'm', name: 'n' } }],
        agent_policies: [
          { agent: 'agent', include: ['t'], exclude: ['z'], unrestricted: false },
          { agent: 'components.agents.a', include: [], permissions: null, unrestricted: true },
          { agent: 'components.agents.b', include: [], permissions: null, unrestricted: false },
        ],
      },
      human_review: {
        reviewers: ['y', 'z'],
        workflow_steps: [{ workflow: 'components.workflows.w', step_id: 'p', ref: 'y' }],
        required: true,
        missing: false,
      },
    });
    expect(Object.keys(report.tools.agent_policies[0]?.permissions ?? {})).toHaveLength(6);
    expect(report.guardrails.agents[0]).toEqual({
      agent: 'agent',
      configured: true,
      stages: { input: 2, workflow: 1 },
    });
    expect(Object.keys(report.guardrails.agents[0]?.stages ?? {})).toEqual(['input', 'workflow']);
  });

  test('declared reviewers alone are a requirement; without them nothing is required', () => {
    const humans = policyReport(specOf({ components: { humans: { h: {} } } })).human_review;
    expect(humans.requirements).toMatchObject([
      { code: 'I_HUMAN_REVIEW_CONFIGURED', path: 'components.humans' },
    ]);
    expect(humans).toMatchObject({ required: true, missing: false });
    expect(policyReport(specOf({})).human_review).toMatchObject({
      required: false,
      requirements: [],
    });
  });
});

describe('spec-v1 9: the policy of an environment', () => {
  const off = {
    enabled: true,
    fail_on_warnings: false,
    blocked_diagnostic_codes: [],
    require_human_review: false,
    require_tool_permissions: false,
    deny_unrestricted_tools: false,
    require_guardrails: false,
  };
  const codes = (document: object, policy: object): string[] =>
    environmentPolicyFindings(specOf(document), { ...off, ...policy }).map(({ code }) => code);
  const all = {
    require_human_review: true,
    require_tool_permissions: true,
    deny_unrestricted_tools: true,
    require_guardrails: true,
  };

  test('a spec that has what is demanded passes', () => {
    const document = {
      agent: {
        name: 'r',
        tools: { include: [], permissions: { allow_network: true, allowed_domains: ['x'] } },
        guardrails: { input: [{ id: 'g', type: 'regex' }] },
      },
      workflow: { type: 'group-chat', participants: [{ id: 'p', kind: 'human', ref: 'h' }] },
      components: { humans: { h: {} } },
    };
    expect(codes(document, { ...all, fail_on_warnings: true })).toEqual([]);
  });

  test('an empty selection has nothing to permit, but is unrestricted', () => {
    expect(codes({ agent: { name: 'r', tools: [] } }, all)).toEqual([
      'E_ENV_POLICY_HUMAN_REVIEW',
      'E_ENV_POLICY_UNRESTRICTED_TOOLS',
      'E_ENV_POLICY_GUARDRAILS',
    ]);
  });

  test('a warning that is blocked by name as well gives both findings in turn', () => {
    const policy = { fail_on_warnings: true, blocked_diagnostic_codes: ['W_AGENT_MODEL'] };
    expect(codes({ agent: { name: 'r', strategy: 'react', skills: ['z'] } }, policy)).toEqual([
      'E_ENV_POLICY_DIAGNOSTIC',
      'E_ENV_POLICY_WARNING',
    ]);
  });
});
