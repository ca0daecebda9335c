// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  type AnalysisEntry,
  listAnalysisEntries,
} from '../../../../server/contract/studio/analysis-entries.ts';
import { freshWindows, mounted, peer } from '../../../../test/support/mounted.ts';
import { history } from '../../../app/navigation.ts';
import { routeKey } from '../../../data/query-client.ts';
import { reimportStore } from '../../../workbench/reimport-request.ts';
import { ReviewPage } from './review-page.tsx';

freshWindows();

const P = '/studio/api/projects/default';

const entry = (analysis_id: string, part: Partial<AnalysisEntry> = {}): AnalysisEntry => ({
  analysis_id,
  ref: 'desk.yaml',
  revision: 'edited',
  linked: true,
  source: 'n8n',
  conversion: 'strict',
  importer: 'n8n/strict',
  importer_version: 'n8n@1.0.0',
  analyzer_version: '1.0.0',
  analyzer_age: 'current',
  source_sha256: 'abc',
  output_sha256: 'made',
  state: 'active',
  record: 'kept',
  superseded_by: null,
  created_at: '2026-01-01T00:00:00.000000+00:00',
  created_by_display_name: 'Ann',
  blocking: 1,
  manual: 0,
  open_blocking: 0,
  open_manual: 0,
  artifact_id: null,
  ...part,
});

test('it leads on to the import that has gaps open, with the artifact that it was asked with', async () => {
  peer.answer('GET', `${P}/analysis-entries`, 200, [
    entry('a'),
    entry('b', { open_blocking: 1, ref: 'over.yaml' }),
  ]);
  mounted(<ReviewPage projectId="default" draftRef={undefined} artifactId="x1" />);
  await waitFor(() => expect(history.location.pathname).toBe('/projects/default/gaps/b'));
  expect(history.location.search).toBe('?ref=over.yaml&artifact=x1');
});

test('an answer of before leads nowhere until it is asked again', async () => {
  history.push('/elsewhere');
  const key = routeKey(listAnalysisEntries, {
    params: { project_id: 'default' },
    query: { ref: 'desk.yaml' },
  });
  peer.answer('GET', `${P}/analysis-entries`, 200, [entry('a', { open_blocking: 1 }), entry('b')]);
  mounted(<ReviewPage projectId="default" draftRef="desk.yaml" artifactId={undefined} />, [
    [key, [entry('a'), entry('b', { open_blocking: 1 })]],
  ]);
  expect(history.location.pathname).toBe('/elsewhere');
  await waitFor(() => expect(history.location.pathname).toBe('/projects/default/gaps/a'));
});

test('many imports are found by name and by what blocks export', async () => {
  const many = Array.from({ length: 9 }, (_, at) =>
    entry(`a${at}`, { ref: `flow-${at}.yaml`, open_manual: 1, open_blocking: at === 4 ? 2 : 0 }),
  );
  peer.answer('GET', `${P}/analysis-entries`, 200, many);
  const user = mounted(
    <ReviewPage projectId="default" draftRef={undefined} artifactId={undefined} />,
  );
  const rows = () => screen.getAllByTestId('analysis-row').map((row) => row.dataset['analysis']);
  await user.type(await screen.findByLabelText('Find a draft'), 'W-7');
  expect(rows()).toEqual(['a7']);
  await user.clear(screen.getByLabelText('Find a draft'));
  await user.click(screen.getByLabelText(/Gaps block export/));
  expect(rows()).toEqual(['a4']);
  await user.type(screen.getByLabelText('Find a draft'), 'nothing');
  expect(screen.getByText('Nothing matches these filters')).toBeTruthy();
});

test('a damaged import says why, and is imported again as it was', async () => {
  history.push('/elsewhere');
  const damaged = entry('a', { state: 'quarantined', open_blocking: 1 });
  peer.answer('GET', `${P}/analysis-entries`, 200, [damaged]);
  const user = mounted(
    <ReviewPage projectId="default" draftRef="desk.yaml" artifactId={undefined} />,
  );
  await screen.findByText(/is damaged, so it is believed no more/);
  await user.click(screen.getByTestId('import-again'));
  expect(reimportStore.get()).toEqual({
    projectId: 'default',
    ref: 'desk.yaml',
    source: 'n8n',
    conversion: 'strict',
    sourceSha256: 'abc',
  });
  expect(screen.queryByTestId('review-gaps')).toBeNull();
  expect(history.location.pathname).toBe('/elsewhere');
  reimportStore.set(null);
});
