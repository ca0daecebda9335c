import { describe, expect, it } from 'vitest';
import { sourceFacts } from '../../../server/gaps/estate/source-facts.ts';
import { BATCH_ROWS, refused, row } from '../../../test/support/batch-rows.ts';
import { sharedFolder, stateOf, viewRows, WHOLE_BATCH } from './batch-model.ts';
import type { BatchRow } from './import-batch-store.ts';
import { draftTitle } from './import-model.ts';
import { relatedFiles } from './import-relations.ts';
import { undoPlan } from './undo-model.ts';

const names = (rows: readonly BatchRow[]): string[] => rows.map(({ report }) => report.path);

describe('the table of an import of several files', () => {
  it('begins with what is nearest to a run', () => {
    expect(names(viewRows(BATCH_ROWS, WHOLE_BATCH, 'all/'))).toEqual([
      'all/10.json',
      'all/sub/1.json',
      'all/2.json',
      'all/bad.json',
    ]);
  });

  it('is sorted by what it shows, refused files last where it shows no figure', () => {
    const sorted = (sort: 'name' | 'blocking' | 'nodes') =>
      names(viewRows(BATCH_ROWS, { ...WHOLE_BATCH, sort }, 'all/'));
    expect(sorted('name')).toEqual(['all/10.json', 'all/bad.json', 'all/2.json', 'all/sub/1.json']);
    expect(sorted('nodes')).toEqual([
      'all/10.json',
      'all/2.json',
      'all/sub/1.json',
      'all/bad.json',
    ]);
    expect(sorted('blocking').at(-1)).toBe('all/bad.json');
    const again = viewRows(BATCH_ROWS.toReversed(), { ...WHOLE_BATCH, sort: 'blocking' }, 'all/');
    expect(names(again)).toEqual(sorted('blocking'));
  });

  it('calls no draft ready whose steps nothing connects', () => {
    const { report } = row('loose.json', []);
    expect(stateOf(report)).toBe('ready');
    expect(stateOf({ ...report, edges: 0 })).toBe('blocked');
    expect(stateOf({ ...report, nodes: 1, edges: 0 })).toBe('ready');
  });

  it('shows one cause, one state, or what a word finds', () => {
    const shown = (part: object) =>
      names(viewRows(BATCH_ROWS, { ...WHOLE_BATCH, ...part }, 'all/'));
    expect(shown({ cause: 'credential' })).toEqual(['all/2.json']);
    expect(shown({ states: ['refused'] })).toEqual(['all/bad.json']);
    expect(shown({ text: ' SUB/ ' })).toEqual(['all/sub/1.json']);
  });

  it('leaves out the folder that all files share', () => {
    expect(sharedFolder(BATCH_ROWS.map(({ report }) => report))).toBe('all/');
    expect(sharedFolder([])).toBe('');
  });
});

describe('files that belong together', () => {
  const file = (name: string, document: object) => {
    const text = JSON.stringify(document);
    return { name, text, facts: sourceFacts('n8n', text) };
  };
  const call = (workflowId: string) => ({
    nodes: [{ type: 'n8n-nodes-base.executeWorkflow', parameters: { workflowId } }],
  });

  it('are those that a workflow names, directly or through another', () => {
    const first = file('first.json', call('Second'));
    const second = file('second.json', { id: 'b', name: 'Second', ...call('c') });
    const third = file('third.json', { id: 'c', name: 'Third', nodes: [] });
    const other = file('other.json', { id: 'd', name: 'Other', nodes: [] });
    const related = relatedFiles([first, second, third, other]);
    const found = (of: typeof first) => related(of).map(({ source_name }) => source_name);
    expect(found(first)).toEqual(['second.json', 'third.json']);
    expect(found(second)).toEqual(['third.json']);
    expect(found(third)).toEqual([]);
  });
});

describe('undoing an import', () => {
  const imported = (draft: string, part: Partial<BatchRow> = {}): BatchRow => {
    const made = row(draft, []);
    return { ...made, report: { ...made.report, draft }, revision: 'r1', ...part };
  };

  it('removes what is as it was imported and says why the rest stays', () => {
    const rows = [
      imported('plain.yaml'),
      imported('plain.yaml'),
      imported('edited.yaml'),
      imported('known.yaml', { existed: true }),
      imported('frozen.yaml'),
      imported('open.yaml'),
      imported('gone.yaml'),
      refused,
    ];
    const drafts = ['plain', 'known', 'frozen', 'open']
      .map((name) => ({ ref: `${name}.yaml`, revision: 'r1' }))
      .concat({ ref: 'edited.yaml', revision: 'r2' }, { ref: 'mine.yaml', revision: 'r1' });
    const plan = undoPlan(rows, {
      drafts,
      inArtifacts: new Set(['frozen.yaml']),
      unsaved: new Set(['open.yaml']),
    });
    expect(plan.remove).toEqual([{ ref: 'plain.yaml', revision: 'r1' }]);
    expect(plan.stay).toEqual([
      { ref: 'edited.yaml', why: 'edited' },
      { ref: 'known.yaml', why: 'existed' },
      { ref: 'frozen.yaml', why: 'artifact' },
      { ref: 'open.yaml', why: 'unsaved' },
    ]);
  });

  it('leaves a draft that stood there before, also when it was offered twice', () => {
    const rows = [imported('a.yaml'), imported('a.yaml', { existed: true })];
    const drafts = [{ ref: 'a.yaml', revision: 'r1' }];
    const plan = undoPlan(rows, { drafts, inArtifacts: new Set(), unsaved: new Set() });
    expect(plan.remove).toEqual([]);
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
