import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { ArtifactParams, FreeObject, ProjectParams } from './fields.ts';

const Environment = z
  .strictObject({ alias: z.string(), url: z.string() })
  .meta({ id: 'Environment' });
export type Environment = z.infer<typeof Environment>;

export const CapabilityPolicy = z.enum(['strict', 'local']);
export type CapabilityPolicy = z.infer<typeof CapabilityPolicy>;

/** A live binding as the workbench shows it; never a profile name or a key (studio.md 18). */
export const BindingView = z
  .strictObject({
    alias: z.string(),
    generation: z.int(),
    platform_environment: z.string(),
    transport: z.enum(['remote', 'shared_filesystem']),
    platform_egress: z.enum(['unenforced', 'enforced']),
    capability_policy: CapabilityPolicy,
    profile_state: z.enum(['available', 'unavailable']),
  })
  .meta({ id: 'BindingView' });
export type BindingView = z.infer<typeof BindingView>;

/** What is left out is as in the live generation of the alias, else as in a new project. */
const CreateEnvironmentRequest = z
  .strictObject({
    alias: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
    profile: z.string().min(1).optional(),
    platform_environment: z.string().min(1).optional(),
    capability_policy: CapabilityPolicy.optional(),
  })
  .meta({ id: 'CreateEnvironmentRequest' });

const frozenBinding = {
  alias: z.string(),
  alias_generation: z.int(),
  platform_environment: z.string(),
  state: z.enum(['available', 'unavailable']),
  unavailable_reason: z.string().nullable(),
};

export const PreflightCredentialsView = z
  .strictObject({
    ...frozenBinding,
    credentials: z.record(z.string(), z.record(z.string(), FreeObject)).nullable(),
  })
  .meta({ id: 'PreflightCredentialsView' });
export type PreflightCredentialsView = z.infer<typeof PreflightCredentialsView>;

export const PreflightPolicyView = z
  .strictObject({ ...frozenBinding, policy: FreeObject.nullable() })
  .meta({ id: 'PreflightPolicyView' });
export type PreflightPolicyView = z.infer<typeof PreflightPolicyView>;

const AliasParams = z.object({ project_id: z.string(), alias: z.string() });

export const listEnvironments = studioRoute.get('list_environments', {
  path: '/projects/{project_id}/environments',
  summary: 'Live aliases and the address behind each',
  params: ProjectParams,
  responses: { 200: z.array(Environment) },
  access: 'viewer',
});

export const createEnvironment = studioRoute.post('create_environment', {
  path: '/projects/{project_id}/environments',
  summary: 'Bind an alias; a bound alias gets its next generation (mode none only)',
  params: ProjectParams,
  body: CreateEnvironmentRequest,
  responses: { 201: BindingView },
  errors: ['environment_unavailable', 'unknown_alias', 'bound_by_operator'],
  access: 'owner',
  meta: { audit: 'create_environment' },
});

export const listBindings = studioRoute.get('list_bindings', {
  path: '/projects/{project_id}/bindings',
  summary: 'Live bindings with the capability policy in force',
  params: ProjectParams,
  responses: { 200: z.array(BindingView) },
  access: 'viewer',
});

export const getEnvironmentPolicy = studioRoute.get('get_environment_policy', {
  path: '/projects/{project_id}/environments/{alias}/policy',
  summary: 'Not built',
  params: AliasParams,
  responses: { 200: FreeObject },
  errors: ['not_implemented'],
  access: 'viewer',
});

export const getEnvironmentCredentialRefs = studioRoute.get('get_environment_credential_refs', {
  path: '/projects/{project_id}/environments/{alias}/credential-refs',
  summary: 'Not built',
  params: AliasParams,
  responses: { 200: FreeObject },
  errors: ['not_implemented'],
  access: 'viewer',
});

export const preflightPolicy = studioRoute.get('preflight_policy', {
  path: '/projects/{project_id}/artifacts/{artifact_id}/preflight/policy',
  summary: 'The platform’s policy for the binding that the artifact is frozen to',
  params: ArtifactParams,
  responses: { 200: PreflightPolicyView },
  errors: ['artifact_not_found', 'artifact_deleted', 'project_unbound'],
  access: 'viewer',
});

export const preflightCredentialRefs = studioRoute.get('preflight_credential_refs', {
  path: '/projects/{project_id}/artifacts/{artifact_id}/preflight/credential-refs',
  summary: 'Which credentials the platform holds, never their values',
  params: ArtifactParams,
  responses: { 200: PreflightCredentialsView },
  errors: ['artifact_not_found', 'artifact_deleted', 'project_unbound'],
  access: 'viewer',
});
