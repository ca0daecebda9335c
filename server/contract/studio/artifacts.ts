import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { AuthoredArtifact } from './artifact-view.ts';
import { ArtifactParams, DraftRef, FreeObject, ProjectParams } from './fields.ts';

const ArtifactCreateRequest = z
  .strictObject({
    base: DraftRef,
    alias: z.string(),
    overlays: z.array(DraftRef).default([]),
    overrides: FreeObject.default({}),
  })
  .meta({ id: 'ArtifactCreateRequest' });

export const ExportView = z
  .strictObject({
    artifact_id: z.string(),
    base_ref: z.string().nullable(),
    spec_yaml: z.string(),
    filename: z.string(),
  })
  .meta({ id: 'ExportView' });
export type ExportView = z.infer<typeof ExportView>;

const PortabilityBlocker = z
  .strictObject({
    code: z.enum([
      'registry_reference',
      'filesystem_dependency',
      'spec_path_reference',
      'unsupported_transport',
    ]),
    detail: z.string(),
    spec_ref: z.string().nullable(),
  })
  .meta({ id: 'PortabilityBlocker' });

export const Portability = z
  .strictObject({ blockers: z.array(PortabilityBlocker) })
  .meta({ id: 'Portability' });
export type Portability = z.infer<typeof Portability>;

const LIVE = ['artifact_not_found', 'artifact_deleted'];
/** Refusals of every route that composes and gates an artifact (studio.md 9.4). */
export const GOVERN_ERRORS = [
  ...LIVE,
  'snapshot_unavailable',
  'snapshot_corrupt',
  'spec_capability_refused',
  'project_unbound',
  'environment_unavailable',
  'environment_changed',
  'spec_too_large',
  'spec_too_complex',
] as const;

export const createArtifact = studioRoute.post('create_artifact', {
  path: '/projects/{project_id}/artifacts',
  summary: 'Freeze a base draft, overlays and overrides as an artifact',
  params: ProjectParams,
  body: ArtifactCreateRequest,
  responses: { 201: AuthoredArtifact },
  errors: [
    'unknown_alias',
    'component_wrong_kind',
    'snapshot_unavailable',
    'draft_stale',
    'quota_exceeded',
    'exposure_unconfirmed',
    'spec_too_complex',
  ],
  access: 'editor',
  meta: { audit: 'create_artifact' },
});

export const listArtifacts = studioRoute.get('list_artifacts', {
  path: '/projects/{project_id}/artifacts',
  summary: 'Artifacts, newest first',
  params: ProjectParams,
  responses: { 200: z.array(AuthoredArtifact) },
  access: 'viewer',
});

export const getArtifact = studioRoute.get('get_artifact', {
  path: '/projects/{project_id}/artifacts/{artifact_id}',
  summary: 'One artifact',
  params: ArtifactParams,
  responses: { 200: AuthoredArtifact },
  errors: LIVE,
  access: 'viewer',
});

export const deleteArtifact = studioRoute.delete('delete_artifact', {
  path: '/projects/{project_id}/artifacts/{artifact_id}',
  summary: 'Delete an artifact',
  params: ArtifactParams,
  responses: { 204: null },
  errors: LIVE,
  access: 'editor',
  meta: { audit: 'delete_artifact' },
});

export const exportArtifact = studioRoute.get('export_artifact', {
  path: '/projects/{project_id}/artifacts/{artifact_id}/export',
  summary: 'The artifact as spec YAML, when nothing holds it back',
  params: ArtifactParams,
  responses: { 200: ExportView },
  errors: [
    ...GOVERN_ERRORS,
    'artifact_not_ready',
    'artifact_not_portable',
    'artifact_governance_failed',
  ],
  access: 'viewer',
  meta: { audit: 'export_artifact' },
});

export const getPortability = studioRoute.get('get_portability', {
  path: '/projects/{project_id}/artifacts/{artifact_id}/portability',
  summary: 'What would keep the artifact from travelling',
  params: ArtifactParams,
  responses: { 200: Portability },
  errors: [...GOVERN_ERRORS],
  access: 'viewer',
});
