import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { ProjectParams, Sha256 } from './fields.ts';

export const ExposureView = z
  .strictObject({
    root_identity: Sha256,
    exposure_digest: Sha256,
    privileged_entries: z.array(z.string()),
  })
  .meta({ id: 'ExposureView' });
export type ExposureView = z.infer<typeof ExposureView>;

const ManifestEntry = z
  .strictObject({ ref: z.string(), kind: z.string(), privileged: z.boolean() })
  .meta({ id: 'ManifestEntry' });

export const ExposureStatus = z.enum([
  'unconfirmed',
  'confirmed',
  'root_changed',
  'manifest_changed',
]);
export type ExposureStatus = z.infer<typeof ExposureStatus>;

export const ExposurePreflight = z
  .strictObject({
    root_identity: Sha256,
    exposure_digest: Sha256,
    privileged_entries: z.array(z.string()),
    manifest: z.array(ManifestEntry),
    status: ExposureStatus,
  })
  .meta({ id: 'ExposurePreflight' });
export type ExposurePreflight = z.infer<typeof ExposurePreflight>;

const ConfirmRequest = z
  .strictObject({ exposure_digest: z.string() })
  .meta({ id: 'ConfirmRequest' });

export const getExposure = studioRoute.get('get_exposure', {
  path: '/projects/{project_id}/drafts/exposure',
  summary: 'Digest of the privileged entries, to be read before registering',
  params: ProjectParams,
  responses: { 200: ExposureView },
  access: 'viewer',
});

export const getExposurePreflight = studioRoute.get('get_exposure_preflight', {
  path: '/projects/{project_id}/exposure/preflight',
  summary: 'What the project exposes and whether an owner confirmed it',
  params: ProjectParams,
  responses: { 200: ExposurePreflight },
  access: 'owner',
});

export const confirmExposure = studioRoute.post('confirm_exposure', {
  path: '/projects/{project_id}/exposure/confirm',
  summary: 'Confirm the exposure that was read',
  params: ProjectParams,
  body: ConfirmRequest,
  responses: { 200: ExposurePreflight },
  errors: ['exposure_stale'],
  access: 'owner',
  meta: { audit: 'confirm_exposure' },
});
