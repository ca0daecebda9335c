import { z } from 'zod';
import { bundleManifest } from '../bundle.ts';
import { studioRoute } from '../route.ts';
import { GOVERN_ERRORS } from './artifacts.ts';
import { ArtifactParams } from './fields.ts';
import { Project } from './session.ts';

/** Bytes as base64; a request holds a bundle of up to three mebibytes. */
const Content = z.string().max(4_194_304);

const Signer = z
  .strictObject({
    key_id: z.string(),
    /** PEM; the file that others name as the key that they trust. */
    public_key: z.string(),
    /** The key of this installation. */
    own: z.boolean(),
  })
  .meta({ id: 'BundleSigner' });

export const BundleView = z
  .strictObject({
    filename: z.string(),
    content: z.string(),
    manifest: bundleManifest,
    signer: Signer,
  })
  .meta({ id: 'BundleView' });
export type BundleView = z.infer<typeof BundleView>;

export const InspectedBundle = z
  .strictObject({ manifest: bundleManifest, signer: Signer.nullable() })
  .meta({ id: 'InspectedBundle' });
export type InspectedBundle = z.infer<typeof InspectedBundle>;

const BundleRequest = z.strictObject({ content: Content }).meta({ id: 'BundleRequest' });

const OpenedBundle = z
  .strictObject({ project: Project, ref: z.string() })
  .meta({ id: 'OpenedBundle' });

export const bundleArtifact = studioRoute.get('bundle_artifact', {
  path: '/projects/{project_id}/artifacts/{artifact_id}/bundle',
  summary: 'The artifact with what it names, as one signed file for another machine',
  params: ArtifactParams,
  responses: { 200: BundleView },
  errors: [...GOVERN_ERRORS, 'artifact_not_ready', 'bundle_refused'],
  access: 'viewer',
  meta: { audit: 'bundle_artifact' },
});

export const inspectBundle = studioRoute.post('inspect_bundle', {
  path: '/bundles/inspect',
  summary: 'Prove a bundle and say what is in it; nothing is written',
  body: BundleRequest,
  responses: { 200: InspectedBundle },
  errors: ['bundle_refused'],
  access: 'session',
});

export const openBundle = studioRoute.post('open_bundle', {
  path: '/bundles/open',
  summary: 'Prove a bundle and unpack it as a new project',
  body: BundleRequest,
  responses: { 201: OpenedBundle },
  errors: [
    'bundle_refused',
    'project_creation_disabled',
    'project_limit_reached',
    'project_root_overlap',
  ],
  access: 'session',
  meta: { audit: 'open_bundle' },
});
