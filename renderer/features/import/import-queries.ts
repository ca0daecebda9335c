import { getAnalysis } from '../../../server/contract/studio/analyses.ts';
import { listBindings } from '../../../server/contract/studio/environments.ts';
import { type ImportResult, importSource } from '../../../server/contract/studio/imports.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routeKey, routeQuery } from '../../data/query-client.ts';
import { invalidateAuthoring } from '../../data/studio.ts';
import { chosenOf } from '../../environments/chosen-alias.ts';
import { type Conversion, conversionOf, conversionStore } from './import-choice.ts';
import { draftTitle, type ImportFile } from './import-model.ts';
import type { RelatedFile } from './import-relations.ts';
import { rememberSummaries } from './import-summary-store.ts';

export interface ImportHow {
  /** Files of the same import, whose workflows this one may call. */
  readonly related?: readonly RelatedFile[];
  /** As this window imports, when absent. */
  readonly conversion?: Conversion;
  /** What the draft is named after; the workflow's own name when absent. */
  readonly title?: string;
}

/** Sends one file to the importer; nothing of the window is read again. */
export async function sendImport(
  projectId: string,
  source: string,
  file: ImportFile,
  how: ImportHow = {},
): Promise<ImportResult> {
  const { related = [], conversion = conversionOf(source, conversionStore.get()) } = how;
  const bindings = await queryClient.ensureQueryData(
    routeQuery(listBindings, { params: { project_id: projectId } }),
  );
  const alias = chosenOf(projectId, bindings)?.alias;
  return await call(
    importSource,
    {
      params: { project_id: projectId, source },
      body: {
        raw: file.text,
        source_name: how.title ?? draftTitle(source, file),
        conversion,
        ...(alias === undefined ? {} : { alias }),
        ...(related.length === 0 ? {} : { related: [...related] }),
      },
    },
    { idempotencyKey: crypto.randomUUID() },
  );
}

/** Imports one file; the answer also fills the cache of the gap page. */
export async function importFile(
  projectId: string,
  source: string,
  file: ImportFile,
  how: ImportHow = {},
): Promise<ImportResult> {
  const result = await sendImport(projectId, source, file, how);
  await invalidateAuthoring();
  const analysisId = result.analysis_ids[0];
  if (analysisId !== undefined) {
    rememberSummaries([[analysisId, { summary: result.summary, fileName: file.name }]]);
    await queryClient.invalidateQueries({
      queryKey: routeKey(getAnalysis, {
        params: { project_id: projectId, analysis_id: analysisId },
      }),
    });
  }
  return result;
}
