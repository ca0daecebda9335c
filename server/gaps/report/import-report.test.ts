import { describe, expect, it } from 'vitest';
import { causeOf } from './gap-causes.ts';
import {
  acceptedFile,
  byEffort,
  type Converted,
  refusedFile,
  summarizeImports,
  summarySentences,
} from './import-report.ts';
import { reportHtml } from './report-html.ts';

function converted(
  ...gaps: readonly (readonly [string, 'blocking' | 'manual' | 'info', string?])[]
) {
  return {
    summary: {
      workflow_family: 'graph',
      node_count: 5,
      edge_count: 4,
      tool_count: 0,
      credential_count: 0,
    },
    gaps: gaps.map(([kind, severity, id]) => ({
      kind,
      severity,
      source_ref: { source_id: id ?? 'n' },
    })),
  } satisfies Converted;
}

const file = (path: string, found: Converted, types: Readonly<Record<string, string>> = {}) =>
  acceptedFile({ path, source: 'n8n', draft: null }, found, (id) => types[id]);

const ready = file('ready.json', converted(['run_input', 'manual']));
const keys = file(
  'keys.json',
  converted(['inline_secret', 'blocking'], ['expression', 'blocking']),
);
const code = file('code.json', converted(['proprietary_node', 'blocking', 'c']), {
  c: 'n8n-nodes-base.code',
});
const broken = refusedFile(
  { path: '<b>.json', source: 'n8n' },
  { code: 'source_unparseable', message: 'No nodes.', details: { locator: '$.nodes' } },
);

describe('the report of an import of several files', () => {
  it('tells the causes apart by kind and by the type of the element', () => {
    expect(causeOf('proprietary_node', 'n8n-nodes-base.code')).toBe('code');
    expect(causeOf('proprietary_node', 'n8n-nodes-base.httpRequest')).toBe('external_service');
    expect(causeOf('proprietary_node', 'n8n-nodes-base.telegram')).toBe('proprietary_action');
    expect(causeOf('tool_without_backing', undefined)).toBe('proprietary_action');
    expect(causeOf('unbounded_loop', 'n8n-nodes-base.code')).toBe('flow_shape');
    expect(causeOf('something_new', undefined)).toBe('other');
  });

  it('says what one has and what to do first', () => {
    const summary = summarizeImports([keys, broken, code, ready]);
    expect(summary).toMatchObject({ files: 4, accepted: 3, refused: 1, ready: 1 });
    expect(summary.start_with).toBe('ready.json');
    const found = converted();
    const loose = file('loose.json', { ...found, summary: { ...found.summary, edge_count: 0 } });
    expect(summarizeImports([loose, ready]).start_with).toBe('ready.json');
    expect(loose.first).toBe('Nothing connects its 5 steps: connect them first.');
    const empty = file('empty.json', { ...found, summary: { ...found.summary, node_count: 0 } });
    expect(empty.first).toBe('It holds no step that runs: import the workflow it is from.');
    expect([broken, loose, keys].toSorted(byEffort).map(({ path }) => path)).toEqual([
      'keys.json',
      'loose.json',
      '<b>.json',
    ]);
    expect(summary.causes.map(({ cause, alone }) => [cause, alone])).toEqual([
      ['code', 1],
      ['credential', 0],
      ['expression', 0],
    ]);
    expect(summarySentences(summary)[0]).toBe('3 of 4 files imported, 1 ready to run, 1 refused.');
    expect(keys.first).toBe('Store one credential that stood in the file as plain text.');
    expect([broken, keys, code, ready].toSorted(byEffort).map(({ path }) => path)).toEqual([
      'ready.json',
      'code.json',
      'keys.json',
      '<b>.json',
    ]);
  });

  it('is a page that takes no markup from names and needs nothing from outside', () => {
    const page = reportHtml([broken, ready]);
    expect(page).toContain('&lt;b&gt;.json');
    expect(page).toContain('locator $.nodes');
    expect(page).not.toMatch(/<script|https?:|<link/);
    expect(reportHtml([broken, ready])).toBe(page);
  });

  it('an empty import is said to be one', () => {
    expect(summarySentences(summarizeImports([]))[0]).toBe(
      '0 of 0 files imported, 0 ready to run.',
    );
  });
});
