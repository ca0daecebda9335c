import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { BindingView, PreflightCredentialsView, PreflightPolicyView } from './environments.ts';
import { ArtifactParams, FreeObject, ProjectParams, Timestamp } from './fields.ts';
import { BUFFER_ERRORS, PreviewRequest } from './govern.ts';

// Additive: what the window needs to show and change the bindings of a project (studio.md 18).

const AliasParams = z.object({ project_id: z.string(), alias: z.string() });

/** A generation of an alias, retired ones too; never a profile name, a key or a value of its registry. */
export const GenerationView = z
  .strictObject({
    ...BindingView.shape,
    /** Empty when the profile cannot be loaded. */
    url: z.string(),
    /** `own`: the platform of this installation, which may take another port. */
    endpoint: z.enum(['own', 'not_seen', 'same', 'changed', 'unknown']),
    /** True for the one that answers for its alias. */
    live: z.boolean(),
    created_at: Timestamp,
    retired_at: Timestamp.nullable(),
    made_by: z.enum(['template', 'person']),
    /** How many artifacts are frozen to it. */
    artifacts: z.int(),
    /** Names that `$registry` references may use, ascending. */
    registry: z.array(z.string()),
    /** Since when its registry is as it is; null without entries. */
    registry_since: Timestamp.nullable(),
  })
  .meta({ id: 'GenerationView' });
export type GenerationView = z.infer<typeof GenerationView>;

export const EnvironmentState = z
  .strictObject({
    alias: z.string(),
    generation: z.int(),
    state: z.enum(['reachable', 'unreachable', 'refused', 'changed', 'unavailable']),
    detail: z.string().nullable(),
    version: z.string().nullable(),
    policy: FreeObject.nullable(),
  })
  .meta({ id: 'EnvironmentState' });
export type EnvironmentState = z.infer<typeof EnvironmentState>;

/** What a person may bind to; never a key. */
export const ProfileView = z
  .strictObject({
    name: z.string(),
    /** The platform of this installation. */
    own: z.boolean(),
    url: z.string(),
    /** Why it cannot be used. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'ProfileView' });
export type ProfileView = z.infer<typeof ProfileView>;

const RegistryRequest = z
  .strictObject({
    /** Names and values as YAML or JSON; null = what the bound platform offers. */
    text: z.string().nullable(),
  })
  .meta({ id: 'RegistryRequest' });

const RegistryUse = z.strictObject({
  ref: z.string(),
  /** Where the draft names an entry. */
  path: z.string(),
  name: z.string(),
  before: z.enum(['filled', 'missing']),
  after: z.enum(['filled', 'missing']),
});

/** A registry against the one of the live generation. */
export const RegistryChange = z
  .strictObject({
    alias: z.string(),
    /** The generation that has it; null while it is only looked at, or when nothing changes. */
    generation: z.int().nullable(),
    names: z.array(z.string()),
    added: z.array(z.string()),
    changed: z.array(z.string()),
    removed: z.array(z.string()),
    /** What the platform offers under a name that no reference can have. */
    skipped: z.array(z.string()),
    /** References of the project's drafts. Each one that is filled keeps an export from travelling. */
    uses: z.array(RegistryUse),
  })
  .meta({ id: 'RegistryChange' });
export type RegistryChange = z.infer<typeof RegistryChange>;

/** What a spec asks its platform for, by name. */
export const SpecNeeds = z
  .strictObject({
    /** Whose own key is needed: where an agent names no other secret. */
    providers: z.array(z.string()),
    /** Variables and stored secrets. */
    secrets: z.array(z.string()),
  })
  .meta({ id: 'SpecNeeds' });
export type SpecNeeds = z.infer<typeof SpecNeeds>;

const DraftPreflightView = z
  .strictObject({
    policy: PreflightPolicyView,
    credentials: PreflightCredentialsView,
    needs: SpecNeeds,
  })
  .meta({ id: 'DraftPreflightView' });

export const listGenerations = studioRoute.get('list_generations', {
  path: '/projects/{project_id}/bindings/generations',
  summary: 'Every generation of every alias, newest first in each',
  params: ProjectParams,
  responses: { 200: z.array(GenerationView) },
  access: 'viewer',
});

export const getEnvironmentState = studioRoute.get('get_environment_state', {
  path: '/projects/{project_id}/environments/{alias}/state',
  summary: 'Whether the platform behind an alias answers, and its policy',
  params: AliasParams,
  responses: { 200: EnvironmentState },
  errors: ['unknown_alias'],
  access: 'viewer',
});

export const listProfiles = studioRoute.get('list_profiles', {
  path: '/projects/{project_id}/profiles',
  summary: 'Profiles that an alias can be bound to (mode none only)',
  params: ProjectParams,
  responses: { 200: z.array(ProfileView) },
  errors: ['bound_by_operator'],
  access: 'owner',
});

export const retireEnvironment = studioRoute.post('retire_environment', {
  path: '/projects/{project_id}/environments/{alias}/retire',
  summary: 'Take a generation, or a whole alias, out of use (mode none only)',
  params: AliasParams,
  body: z
    .strictObject({ generation: z.int().nullable().default(null) })
    .meta({ id: 'RetireEnvironmentRequest' }),
  responses: { 204: null },
  errors: ['bound_by_operator', 'unknown_alias', 'generation_not_found', 'last_live_binding'],
  access: 'owner',
  meta: { audit: 'retire_environment' },
});

const REGISTRY_ERRORS = [
  'unknown_alias',
  'environment_unavailable',
  'environment_changed',
  'registry_not_told',
];

export const previewRegistry = studioRoute.post('preview_registry', {
  path: '/projects/{project_id}/environments/{alias}/registry/preview',
  summary: 'What another registry would change; nothing is written',
  params: AliasParams,
  body: RegistryRequest,
  responses: { 200: RegistryChange },
  errors: REGISTRY_ERRORS,
  access: 'owner',
});

export const attachRegistry = studioRoute.post('attach_registry', {
  path: '/projects/{project_id}/environments/{alias}/registry',
  summary: 'The next generation of an alias, with this registry (mode none only)',
  params: AliasParams,
  body: RegistryRequest,
  responses: { 200: RegistryChange },
  errors: ['bound_by_operator', ...REGISTRY_ERRORS],
  access: 'owner',
  meta: { audit: 'attach_registry' },
});

export const getArtifactNeeds = studioRoute.get('get_artifact_needs', {
  path: '/projects/{project_id}/artifacts/{artifact_id}/preflight/needs',
  summary: 'What the composed spec of an artifact asks its platform for',
  params: ArtifactParams,
  responses: { 200: SpecNeeds },
  errors: ['artifact_not_found', 'artifact_deleted', 'snapshot_unavailable', 'snapshot_corrupt'],
  access: 'viewer',
});

export const preflightDraft = studioRoute.post('preflight_draft', {
  path: '/projects/{project_id}/specs/preflight',
  summary: 'Policy and credentials for an editor buffer on the live generation of an alias',
  params: ProjectParams,
  body: PreviewRequest,
  responses: { 200: DraftPreflightView },
  errors: BUFFER_ERRORS,
  access: 'viewer',
});
