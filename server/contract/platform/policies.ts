import { z } from 'zod';
import { lenientBoolean } from '../fields.ts';
import { platformRoute } from '../route.ts';
import { textUpTo } from './fields.ts';
import { MAX_ENVIRONMENT_CHARS, type RequestLimits } from './limits.ts';

/** Body of PUT and preview: an omitted field is its default (contract/platform.md 3.11). */
export function environmentPolicyBody(limits: RequestLimits) {
  return z.strictObject({
    enabled: lenientBoolean().default(true),
    fail_on_warnings: lenientBoolean().default(false),
    blocked_diagnostic_codes: z
      .array(textUpTo(limits.max_path_chars))
      .max(limits.max_list_items)
      .default([]),
    require_human_review: lenientBoolean().default(false),
    require_tool_permissions: lenientBoolean().default(false),
    deny_unrestricted_tools: lenientBoolean().default(false),
    require_guardrails: lenientBoolean().default(false),
  });
}

export const environmentPolicy = z
  .object({
    enabled: z.boolean(),
    fail_on_warnings: z.boolean(),
    blocked_diagnostic_codes: z.array(z.string()),
    require_human_review: z.boolean(),
    require_tool_permissions: z.boolean(),
    deny_unrestricted_tools: z.boolean(),
    require_guardrails: z.boolean(),
  })
  .meta({ id: 'EnvironmentPolicy' });

export type EnvironmentPolicy = z.output<typeof environmentPolicy>;

const environmentName = z.strictObject({
  environment: z.string().min(1).max(MAX_ENVIRONMENT_CHARS),
});

const policyAnswer = z.object({
  environment: z.string(),
  policy: environmentPolicy.nullable(),
  previous_policy: environmentPolicy.nullable(),
});

export const policyPreview = z
  .object({
    environment: z.string(),
    diff: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
    affected_run_ids: z.array(z.string()),
    newly_blocking: z.array(z.string()),
    runs_evaluated: z.int(),
  })
  .meta({ id: 'PolicyPreview' });

export type PolicyPreview = z.output<typeof policyPreview>;

export const listEnvironmentPolicies = platformRoute.get('listEnvironmentPolicies', {
  path: '/policies/environment',
  summary: 'All stored environment policies',
  responses: {
    200: z.object({ policies: z.record(z.string(), environmentPolicy), count: z.int() }),
  },
  access: 'policies:read',
});

export const getEnvironmentPolicy = platformRoute.get('getEnvironmentPolicy', {
  path: '/policies/environment/{environment}',
  summary: 'Policy of one environment; null when none is stored',
  params: environmentName,
  responses: { 200: policyAnswer },
  access: 'policies:read',
});

/** PUT of a policy and its preview, under the configured limits. */
export function policyWriteRoutes(limits: RequestLimits) {
  return {
    putEnvironmentPolicy: platformRoute.put('putEnvironmentPolicy', {
      path: '/policies/environment/{environment}',
      summary: 'Replace the policy of an environment',
      params: environmentName,
      body: environmentPolicyBody(limits),
      responses: { 200: policyAnswer },
      errors: ['resource_locked'],
      access: 'policies:write',
    }),
    previewEnvironmentPolicy: platformRoute.post('previewEnvironmentPolicy', {
      path: '/policies/environment/{environment}/preview',
      summary: 'What a policy would have blocked among the newest runs; stores nothing',
      params: environmentName,
      body: environmentPolicyBody(limits),
      responses: { 200: policyPreview },
      access: 'policies:read',
    }),
  };
}
