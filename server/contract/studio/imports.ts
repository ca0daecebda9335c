import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { AuthoredArtifact } from './artifact-view.ts';
import { Portability } from './artifacts.ts';
import { DraftRef } from './fields.ts';
import { Gap, Suggestion } from './gaps.ts';

const ImportSource = z
  .strictObject({
    id: z.string(),
    label: z.string(),
    status: z.enum(['supported', 'experimental', 'planned']),
    accepts: z.array(z.string()),
  })
  .meta({ id: 'ImportSource' });
const ImportSources = z
  .strictObject({ sources: z.array(ImportSource) })
  .meta({ id: 'ImportSources' });
export type ImportSources = z.infer<typeof ImportSources>;

const WorkflowFamily = z.enum(['sequential', 'graph']).meta({ id: 'WorkflowFamily' });

export const ImportSummary = z
  .strictObject({
    source: z.string(),
    workflow_family: WorkflowFamily.nullable(),
    node_count: z.int(),
    edge_count: z.int(),
    tool_count: z.int(),
    credential_count: z.int(),
    unsupported_count: z.int(),
  })
  .meta({ id: 'ImportSummary' });
export type ImportSummary = z.infer<typeof ImportSummary>;

export const ImportResult = z
  .strictObject({
    analysis_ids: z.array(z.string()),
    draft: DraftRef,
    gaps: z.array(Gap),
    suggestions: z.array(Suggestion),
    spec_yaml: z.string(),
    summary: ImportSummary,
    artifact: AuthoredArtifact.nullable(),
    portability: Portability.nullable(),
  })
  .meta({ id: 'ImportResult' });
export type ImportResult = z.infer<typeof ImportResult>;

/** Free-form: unknown keys are ignored; `raw` is judged by its own code, `raw_required`. */
const ImportRequest = z
  .looseObject({
    raw: z.unknown().optional(),
    alias: z.string().nullish(),
    source_name: z.string().nullish(),
    conversion: z.enum(['extended', 'strict']).default('extended'),
    /** Files of the same import, so that calls to their workflows are resolved; never stored. */
    related: z
      .array(z.object({ source_name: z.string(), raw: z.string() }))
      .max(64)
      .optional(),
  })
  .meta({ id: 'ImportRequest' });

export const listImportSources = studioRoute.get('list_import_sources', {
  path: '/import/sources',
  summary: 'What can be imported',
  responses: { 200: ImportSources },
  access: null,
});

export const importSource = studioRoute.post('import_source', {
  path: '/projects/{project_id}/import/{source}',
  summary: 'Turn a workflow of another tool into a draft, gaps and suggestions',
  params: z.object({ project_id: z.string(), source: z.string() }),
  body: ImportRequest,
  responses: { 201: ImportResult },
  errors: [
    'raw_required',
    'source_too_large',
    'project_unbound',
    'alias_required',
    'unknown_alias',
    'source_unknown',
    'not_implemented',
    'source_unparseable',
    'source_too_complex',
    'importer_graph_invalid',
    'source_credential_in_generated_content',
    'analysis_cards_invalid',
    'idempotency_key_blank',
    'idempotency_key_too_long',
    'idempotency_key_reused',
    'analysis_taint_full',
    'analysis_taint_retention_full',
    'analysis_too_large',
    'draft_write_failed',
    'analysis_keys_unavailable',
  ],
  access: 'editor',
  meta: { audit: 'import_artifact' },
});
