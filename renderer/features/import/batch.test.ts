import { describe, expect, it } from 'vitest';
import { acceptedFile, refusedFile } from '../../../server/gaps/report/import-report.ts';
import { sharedFolder, viewRows, WHOLE_BATCH } from './batch-model.ts';
import type { BatchRow } from './import-batch-store.ts';
import { draftTitle } from './import-model.ts';
import { relatedFiles } from './import-relations.ts';

function row(path: string, blocking: readonly string[], nodes = 3): BatchRow {
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
  return { report, title: `Flow ${path}`, analysisId: path, requestId: null };
}

const refused: BatchRow = {
  report: refusedFile(
    { path: 'all/bad.json', source: 'n8n' },
    { code: 'source_unparseable', message: 'No.', details: {} },
  ),
  title: null,
  analysisId: null,
  requestId: null,
};
const ROWS = [
  row('all/2.json', ['expression', 'inline_secret']),
  refused,
  row('all/10.json', [], 9),
  row('all/sub/1.json', ['expression']),
];

const names = (rows: readonly BatchRow[]): string[] => rows.map(({ report }) => report.path);

describe('the table of an import of several files', () => {
  it('begins with what is nearest to a run', () => {
    expect(names(viewRows(ROWS, WHOLE_BATCH))).toEqual([
      'all/10.json',
      'all/sub/1.json',
      'all/2.json',
      'all/bad.json',
    ]);
    expect(names(viewRows(ROWS, { ...WHOLE_BATCH, sort: 'name' }))[0]).toBe('all/2.json');
  });

  it('shows one cause, one state, or what a word finds', () => {
    expect(names(viewRows(ROWS, { ...WHOLE_BATCH, cause: 'credential' }))).toEqual(['all/2.json']);
    expect(names(viewRows(ROWS, { ...WHOLE_BATCH, states: ['refused'] }))).toEqual([
      'all/bad.json',
    ]);
    expect(names(viewRows(ROWS, { ...WHOLE_BATCH, text: ' SUB/ ' }))).toEqual(['all/sub/1.json']);
  });

  it('leaves out the folder that all files share', () => {
    expect(sharedFolder(ROWS.map(({ report }) => report))).toBe('all/');
    expect(sharedFolder([])).toBe('');
  });
});

describe('files that belong together', () => {
  const file = (name: string, document: object) => ({ name, text: JSON.stringify(document) });
  const call = (workflowId: string) => ({
    nodes: [{ type: 'n8n-nodes-base.executeWorkflow', parameters: { workflowId } }],
  });

  it('are those that a workflow names, directly or through another', () => {
    const first = file('first.json', call('Second'));
    const second = file('second.json', { id: 'b', name: 'Second', ...call('c') });
    const third = file('third.json', { id: 'c', name: 'Third', nodes: [] });
    const other = file('other.json', { id: 'd', name: 'Other', nodes: [] });
    const found = relatedFiles([first, second, third, other]);
    expect(found.get(first)?.map(({ source_name }) => source_name)).toEqual([
      'second.json',
      'third.json',
    ]);
    expect(found.get(second)?.map(({ source_name }) => source_name)).toEqual(['third.json']);
    expect(found.has(third)).toBe(false);
  });
});

describe('draftTitle', () => {
  it("takes the workflow's own name, and the file's where it has none or none that can be a file", () => {
    const n8n = (name: unknown) => ({
      name: '001.json',
      text: JSON.stringify({ name, nodes: [] }),
    });
    expect(draftTitle('n8n', n8n('Support / Triage'))).toBe('support-triage');
    expect(draftTitle('n8n', n8n('工作流'))).toBe('001.json');
    expect(draftTitle('n8n', n8n(7))).toBe('001.json');
    const dify = (text: string) => draftTitle('dify', { name: 'app.yml', text });
    expect(dify('app:\n  mode: chat\n  name: "Tea: helper"\nkind: app\n')).toBe('tea-helper');
    expect(dify('kind: app\nworkflow:\n  name: inner\napp:\n  mode: chat\n')).toBe('app.yml');
  });
});
