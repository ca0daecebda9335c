import type { BatchRow } from '../../renderer/features/import/import-batch-store.ts';
import { NO_FACTS } from '../../server/gaps/estate/source-facts.ts';
import { acceptedFile, refusedFile } from '../../server/gaps/report/import-report.ts';

const PLAIN = { revision: null, existed: false, facts: NO_FACTS, causes: [], requestId: null };

export function row(path: string, blocking: readonly string[], nodes = 3): BatchRow {
  const report = acceptedFile(
    { path, source: 'n8n', draft: 'x.yaml' },
    {
      summary: {
        workflow_family: 'graph',
        node_count: nodes,
        edge_count: 2,
        tool_count: 0,
        credential_count: 0,
      },
      gaps: blocking.map((kind) => ({
        kind,
        severity: 'blocking',
        source_ref: { source_id: 'a' },
      })),
    },
    () => undefined,
  );
  return { ...PLAIN, report, title: `Flow ${path}`, analysisId: path };
}

export const refused: BatchRow = {
  report: refusedFile(
    { path: 'all/bad.json', source: 'n8n' },
    { code: 'source_unparseable', message: 'No.', details: {} },
  ),
  title: null,
  analysisId: null,
  ...PLAIN,
};
/** Four files of a folder: one is ready, two need work, one is refused. */
export const BATCH_ROWS: readonly BatchRow[] = [
  row('all/2.json', ['expression', 'inline_secret']),
  refused,
  { ...row('all/10.json', [], 9), title: 'Answer mails' },
  row('all/sub/1.json', ['expression']),
];
