import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { ProjectParams, Sha256, Timestamp } from './fields.ts';

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

/** The last confirmation, and how the present exposure differs from it. */
export const ExposureConfirmation = z
  .strictObject({
    confirmed_at: Timestamp,
    confirmed_by: z.string(),
    /** The present digest, which the lists were made for. */
    exposure_digest: Sha256,
    /** Files that were not exposed then; null when what was exposed then is not remembered. */
    added: z.array(z.string()).nullable(),
    removed: z.array(z.string()).nullable(),
    /** Registered files that do not stand in the folder as it is now. */
    missing: z.array(z.string()),
  })
  .meta({ id: 'ExposureConfirmation' });
export type ExposureConfirmation = z.infer<typeof ExposureConfirmation>;

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
  meta: { audit: 'get_exposure_preflight' },
});

export const getExposureConfirmation = studioRoute.get('get_exposure_confirmation', {
  path: '/projects/{project_id}/exposure/confirmation',
  summary: 'Who confirmed the exposure last, and what is new or gone since; null for nobody',
  params: ProjectParams,
  responses: { 200: ExposureConfirmation.nullable() },
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
