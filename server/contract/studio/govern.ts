import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { GOVERN_ERRORS } from './artifacts.ts';
import {
  ArtifactParams,
  DraftRef,
  DraftRefBody,
  FreeObject,
  ProjectParams,
  Sha256,
} from './fields.ts';

const GovernRequest = z.strictObject({ artifact_id: z.string() }).meta({ id: 'GovernRequest' });

/** Details of `spec_capability_refused`: the positions that the policy in force refused, and why. */
export const CapabilityRefusal = z.object({
  findings: z.array(z.object({ path: z.string(), capability: z.string(), reason: z.string() })),
});

export const StageView = z
  .strictObject({
    stage: z.enum(['validate', 'compile', 'policy_report']),
    ok: z.boolean(),
    detail: FreeObject,
  })
  .meta({ id: 'StageView' });
export type StageView = z.infer<typeof StageView>;

export const PreviewRequest = z
  .strictObject({ alias: z.string(), draft: DraftRefBody, text: z.string() })
  .meta({ id: 'PreviewRequest' });

export const PreviewView = z
  .strictObject({ revision: z.string(), ok: z.boolean(), stages: z.array(StageView) })
  .meta({ id: 'PreviewView' });
export type PreviewView = z.infer<typeof PreviewView>;

export const GraphNode = z
  .strictObject({ id: z.string(), kind: z.string(), label: z.string() })
  .meta({ id: 'GraphNode' });
export const GraphEdge = z
  .strictObject({
    source: z.string(),
    target: z.string(),
    label: z.string().nullable(),
    conditional: z.boolean(),
  })
  .meta({ id: 'GraphEdge' });

export const GraphView = z
  .strictObject({
    available: z.boolean(),
    edges: z.array(GraphEdge),
    nodes: z.array(GraphNode),
    start: z.string().nullable(),
    unavailable_reason: z.string().nullable(),
    workflow_kind: z.enum(['graph', 'sequential']).nullable(),
  })
  .meta({ id: 'GraphView' });
export type GraphView = z.infer<typeof GraphView>;

/** Where a leaf of a composed spec comes from; `overlay` counts from 0. */
const OriginView = z
  .strictObject({
    path: z.string(),
    origin: z.enum(['base', 'overlay', 'overrides']),
    overlay: z.int().nullable(),
  })
  .meta({ id: 'OriginView' });

const ComposeRequest = z
  .strictObject({
    base: DraftRef,
    overlays: z.array(DraftRef).default([]),
    overrides: FreeObject.default({}),
  })
  .meta({ id: 'ComposeRequest' });

export const ComposeView = z
  .strictObject({
    text: z.string(),
    /** The base alone, written as `text` is: what differs between the two is what the layers do. */
    base_text: z.string(),
    overrides_sha256: Sha256,
    origins: z.array(OriginView),
  })
  .meta({ id: 'ComposeView' });
export type ComposeView = z.infer<typeof ComposeView>;

/** A layer of an artifact as it was frozen. */
const FrozenLayer = DraftRef.extend({ text: z.string() }).meta({ id: 'FrozenLayer' });

const CompositionView = ComposeView.extend({
  base: FrozenLayer,
  overlays: z.array(FrozenLayer),
  overrides: FreeObject,
}).meta({ id: 'CompositionView' });
export type CompositionView = z.infer<typeof CompositionView>;

const STAGE_ERRORS = [...GOVERN_ERRORS, 'artifact_governance_failed'];

export const validateArtifact = studioRoute.post('validate_artifact', {
  path: '/projects/{project_id}/specs/validate',
  summary: 'The platform’s validation of an artifact',
  params: ProjectParams,
  body: GovernRequest,
  responses: { 200: StageView },
  errors: [...GOVERN_ERRORS],
  access: 'viewer',
});

export const compileArtifact = studioRoute.post('compile_artifact', {
  path: '/projects/{project_id}/specs/compile',
  summary: 'The platform’s compilation of an artifact',
  params: ProjectParams,
  body: GovernRequest,
  responses: { 200: StageView },
  errors: STAGE_ERRORS,
  access: 'viewer',
});

export const reportArtifactPolicy = studioRoute.post('report_artifact_policy', {
  path: '/projects/{project_id}/specs/policy-report',
  summary: 'The platform’s policy report on an artifact',
  params: ProjectParams,
  body: GovernRequest,
  responses: { 200: StageView },
  errors: STAGE_ERRORS,
  access: 'viewer',
});

/** What a text of the editor meets before the platform has a say. */
export const BUFFER_ERRORS = [
  'unknown_alias',
  'project_unbound',
  'spec_capability_refused',
  'spec_too_large',
  'spec_too_complex',
  'environment_unavailable',
  'environment_changed',
];

export const previewDraft = studioRoute.post('preview_draft', {
  path: '/projects/{project_id}/specs/preview',
  summary: 'Validate and compile an editor buffer; nothing is written',
  params: ProjectParams,
  body: PreviewRequest,
  responses: { 200: PreviewView },
  errors: BUFFER_ERRORS,
  access: 'viewer',
});

export const getArtifactGraph = studioRoute.post('get_artifact_graph', {
  path: '/projects/{project_id}/specs/graph',
  summary: 'The workflow topology of an artifact, drawn by the platform',
  params: ProjectParams,
  body: GovernRequest,
  responses: { 200: GraphView },
  errors: [...GOVERN_ERRORS],
  access: 'viewer',
});

export const composeSpec = studioRoute.post('compose_spec', {
  path: '/projects/{project_id}/specs/compose',
  summary: 'The composed text of layers and the origin of each value, without an artifact',
  params: ProjectParams,
  body: ComposeRequest,
  responses: { 200: ComposeView },
  errors: [
    'component_wrong_kind',
    'snapshot_unavailable',
    'draft_stale',
    'exposure_unconfirmed',
    'spec_too_complex',
  ],
  access: 'viewer',
});

export const getComposition = studioRoute.get('get_composition', {
  path: '/projects/{project_id}/artifacts/{artifact_id}/composition',
  summary: 'What an artifact is made of: frozen layers, overrides, and the origin of each value',
  params: ArtifactParams,
  responses: { 200: CompositionView },
  errors: [
    'artifact_not_found',
    'artifact_deleted',
    'snapshot_unavailable',
    'snapshot_corrupt',
    'spec_too_complex',
  ],
  access: 'viewer',
});

export const explainArtifact = studioRoute.post('explain_artifact', {
  path: '/projects/{project_id}/specs/explain',
  summary: 'Not built',
  params: ProjectParams,
  responses: { 200: FreeObject },
  errors: ['not_implemented'],
  access: 'viewer',
});
