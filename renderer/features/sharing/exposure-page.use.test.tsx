// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ExposureStatus } from '../../../server/contract/studio/exposure.ts';
import { freshWindows, memberOf, mounted, peer } from '../../../test/support/mounted.ts';
import { ExposurePage } from './exposure-page.tsx';

freshWindows();

const AT = '/studio/api/projects/default';

function answers(
  status: ExposureStatus,
  digest: string,
  changes: { added: string[] | null; removed: string[] | null; missing?: string[] } | null,
): void {
  const view = { root_identity: 'r', exposure_digest: digest, privileged_entries: ['a.yaml'] };
  const manifest = [{ ref: 'a.yaml', kind: 'spec', privileged: true }];
  peer.answer('GET', `${AT}/exposure/preflight`, 200, { ...view, manifest, status });
  peer.answer('GET', `${AT}/drafts/exposure`, 200, view);
  const about = { confirmed_at: '2026-11-21T00:00:00Z', confirmed_by: 'Bob' };
  const confirmation =
    changes === null ? null : { ...about, missing: [], ...changes, exposure_digest: digest };
  peer.answer('GET', `${AT}/exposure/confirmation`, 200, confirmation);
}

const page = (role: 'owner' | 'editor' = 'owner') =>
  mounted(<ExposurePage projectId="default" />, [memberOf('default', role)]);
const words = () => screen.getByTestId('exposure-status').textContent;

test('the shown list is confirmed; one that changed meanwhile is refused and shown again', async () => {
  answers('manifest_changed', 'd1', { added: ['a.yaml'], removed: ['old.yaml'] });
  const user = page();
  await screen.findByText(/Since then: 1 file new, 1 file gone\./);
  const refusal = { code: 'exposure_stale', message: 'changed', request_id: 'r' };
  peer.answer('POST', `${AT}/exposure/confirm`, 409, refusal);
  answers('manifest_changed', 'd2', { added: ['a.yaml', 'b.yaml'], removed: [] });
  await user.click(screen.getByTestId('confirm-exposure'));
  await screen.findByText('Nothing was confirmed');
  await screen.findByText(/Since then: 2 files new\./);
  peer.answer('POST', `${AT}/exposure/confirm`, 200, {
    root_identity: 'r',
    exposure_digest: 'd2',
    privileged_entries: [],
    manifest: [],
    status: 'confirmed',
  });
  answers('confirmed', 'd2', { added: [], removed: [] });
  await user.click(screen.getByTestId('confirm-exposure'));
  await waitFor(() => expect(words()).toContain('No file is new or gone since.'));
  expect(screen.queryByTestId('confirm-exposure')).toBeNull();
  expect(peer.writes.map(({ body }) => body)).toEqual([
    { exposure_digest: 'd1' },
    { exposure_digest: 'd2' },
  ]);
});

test('a confirmation of before lists were remembered says so', async () => {
  answers('manifest_changed', 'd1', { added: null, removed: null });
  page();
  await screen.findByText(/is not known here: look at the whole list/);
});

test('another folder says what happened, and nobody confirmed says what it is for', async () => {
  answers('root_changed', 'd1', { added: [], removed: [] });
  page();
  await waitFor(() => expect(words()).toContain('The list is the same as then'));
  expect(words()).toContain('every file of the project is shut');
});

test('files that the folder does not have are named', async () => {
  answers('root_changed', 'd1', { added: [], removed: [], missing: ['a.yaml'] });
  page();
  await waitFor(() => expect(words()).toContain('Not in this folder: a.yaml.'));
  await screen.findByText('missing');
});

test('whoever is no owner sees the list, and is offered nothing', async () => {
  answers('unconfirmed', 'd1', null);
  page('editor');
  await waitFor(() => expect(words()).toContain('An owner of the project confirms this list'));
  expect(screen.queryByTestId('confirm-exposure')).toBeNull();
});
