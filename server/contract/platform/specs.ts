import { z } from 'zod';
import { lenientBoolean } from '../fields.ts';
import { platformRoute } from '../route.ts';
import { jsonObject, openObject, specPath, textUpTo } from './fields.ts';
import type { RequestLimits } from './limits.ts';

export const diagnostic = z
  .object({
    code: z.string(),
    severity: z.enum(['error', 'warning', 'info']),
    message: z.string(),
    path: z.string().nullable(),
    suggestion: z.string().nullable(),
  })
  .meta({ id: 'Diagnostic' });

/** Graph of a spec (contract/platform.md 3.7). */
export const specGraph = z
  .object({
    workflow_name: z.string().nullable(),
    workflow_kind: z.enum(['graph', 'sequential']).nullable(),
    start: z.string().nullable(),
    max_steps: z.int().nullable(),
    nodes: z.array(
      z.object({
        id: z.string(),
        kind: z.string().nullable(),
        step_kind: z.string().nullable(),
        name: z.string(),
        on_error: z.string().nullable(),
        fallback_node: z.string().nullable(),
        max_retries: z.int(),
        timeout_seconds: z.number().nullable(),
      }),
    ),
    edges: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        label: z.string().nullable(),
        conditional: z.boolean(),
        priority: z.int(),
      }),
    ),
  })
  .meta({ id: 'SpecGraph' });

export const policyReport = z
  .object({ valid: z.boolean(), report: openObject })
  .meta({ id: 'PolicyReport' });

export type SpecGraph = z.output<typeof specGraph>;
export type PolicyReport = z.output<typeof policyReport>;

function specFields(limits: RequestLimits) {
  const path = specPath(limits.max_path_chars);
  return {
    spec_path: path.nullable().default(null),
    spec: jsonObject(limits.max_inline_spec_bytes).nullable().default(null),
    environment: textUpTo(limits.max_path_chars).nullable().default(null),
    overlays: z.array(path).max(limits.max_list_items).default([]),
    overrides: jsonObject(limits.max_overrides_bytes).default({}),
  };
}

function plainInput(limits: RequestLimits) {
  return z.strictObject(specFields(limits));
}

function strictInput(limits: RequestLimits) {
  return z.strictObject({ ...specFields(limits), strict: lenientBoolean().default(true) });
}

/**
 * Additive: the studio's project that a spec belongs to. Its code is looked for there, and the trust
 * in its folder decides which secrets it may have.
 */
export const PROJECT_HEADER = 'x-specwright-project';

/** Body of explain and graph. */
export type SpecInput = z.output<ReturnType<typeof plainInput>>;
/** Body of validate, compile and policy-report. */
export type StrictSpecInput = z.output<ReturnType<typeof strictInput>>;

const specErrors = ['invalid_request', 'spec_path_confined'];
const buildErrors = [...specErrors, 'spec_invalid', 'environment_policy_blocked'];

/** The five operations on specs, under the configured limits (contract/platform.md 3.10). */
export function specRoutes(limits: RequestLimits) {
  return {
    validateSpec: platformRoute.post('validateSpec', {
      path: '/specs/validate',
      summary: 'Check a spec without building it',
      body: strictInput(limits),
      responses: {
        200: z.object({ valid: z.boolean(), diagnostics: z.array(diagnostic) }),
      },
      errors: specErrors,
      access: 'specs:read',
    }),
    compileSpec: platformRoute.post('compileSpec', {
      path: '/specs/compile',
      summary: 'Build a spec without running it',
      body: strictInput(limits),
      responses: {
        200: z.object({
          ok: z.boolean(),
          valid: z.boolean(),
          diagnostics: z.array(diagnostic),
          summary: z.object({
            has_root_agent: z.boolean(),
            has_root_workflow: z.boolean(),
            component_agents: z.array(z.string()),
          }),
        }),
      },
      errors: buildErrors,
      access: 'specs:read',
    }),
    explainSpec: platformRoute.post('explainSpec', {
      path: '/specs/explain',
      summary: 'Names of the parts of a spec',
      body: plainInput(limits),
      responses: {
        200: z.object({
          summary: z.object({
            root_agent: z.string().nullable(),
            root_workflow: z.string().nullable(),
            component_agents: z.array(z.string()),
          }),
        }),
      },
      errors: buildErrors,
      access: 'specs:read',
    }),
    graphSpec: platformRoute.post('graphSpec', {
      path: '/specs/graph',
      summary: 'Nodes and edges of a spec',
      body: plainInput(limits),
      responses: { 200: specGraph },
      errors: buildErrors,
      access: 'specs:read',
    }),
    reportSpecPolicy: platformRoute.post('reportSpecPolicy', {
      path: '/specs/policy-report',
      summary: 'Policy report of a spec',
      body: strictInput(limits),
      responses: { 200: policyReport },
      errors: specErrors,
      access: 'specs:read',
    }),
  };
}
