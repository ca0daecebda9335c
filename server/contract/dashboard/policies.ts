import { z } from 'zod';
import { lenientBoolean } from '../fields.ts';
import { openObject } from '../platform/fields.ts';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED } from './fields.ts';

/** The seven switches of an environment policy in their order on screen and in diffs. */
export const POLICY_KNOBS = [
  'enabled',
  'fail_on_warnings',
  'blocked_diagnostic_codes',
  'require_human_review',
  'require_tool_permissions',
  'deny_unrestricted_tools',
  'require_guardrails',
] as const;

/** Full replace: an omitted switch is its default. */
export const policyUpdateInput = z
  .object({
    enabled: lenientBoolean().default(true),
    fail_on_warnings: lenientBoolean().default(false),
    blocked_diagnostic_codes: z.array(z.string()).default([]),
    require_human_review: lenientBoolean().default(false),
    require_tool_permissions: lenientBoolean().default(false),
    deny_unrestricted_tools: lenientBoolean().default(false),
    require_guardrails: lenientBoolean().default(false),
  })
  .meta({ id: 'PolicyUpdateInput' });

export const policyDiffEntry = z
  .object({ key: z.string(), before: z.string().nullable(), after: z.string().nullable() })
  .meta({ id: 'PolicyDiffEntry' });

export const policyView = z
  .object({
    environment: z.string(),
    policy: openObject,
    previous_policy: openObject.nullable(),
    diff: z.array(policyDiffEntry),
  })
  .meta({ id: 'PolicyView' });

const environmentPath = z.object({ environment: z.string() });

export const listPolicies = dashboardRoute.get('listPolicies', {
  path: '/policies',
  summary: 'The environments that have a policy',
  responses: {
    200: z.object({ rows: z.array(z.object({ environment: z.string(), enabled: z.boolean() })) }),
  },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const getPolicy = dashboardRoute.get('getPolicy', {
  path: '/policies/{environment}',
  summary: 'The policy of an environment; empty when none is stored',
  params: environmentPath,
  responses: { 200: policyView },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const putPolicy = dashboardRoute.put('putPolicy', {
  path: '/policies/{environment}',
  summary: 'Replace the policy of an environment',
  params: environmentPath,
  body: policyUpdateInput,
  responses: { 200: policyView },
  errors: ['resource_locked'],
  access: 'policy.write',
  meta: PLATFORM_BACKED,
});

export const previewPolicy = dashboardRoute.post('previewPolicy', {
  path: '/policies/{environment}/preview',
  summary: 'What a policy would change; stores nothing',
  params: environmentPath,
  body: policyUpdateInput,
  responses: {
    200: z
      .object({
        diff: z.array(policyDiffEntry),
        affected_run_ids: z.array(z.string()),
        affected_count: z.int(),
      })
      .meta({ id: 'PolicyPreviewView' }),
  },
  access: 'policy.write',
  meta: PLATFORM_BACKED,
});
