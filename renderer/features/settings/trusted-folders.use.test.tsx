// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getTrust } from '../../../server/contract/studio/trust.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { queryClient, routeKey } from '../../data/query-client.ts';
import { TrustedFolders } from './trusted-folders.tsx';

freshWindows();

const AT = '/gateway/trusted-folders';
const desk = { folder: '/home/ada/desk', trusted_at: '2026-11-21T08:00:00Z', stands: true };

test('each trusted folder is listed, and trust is taken back for its projects too', async () => {
  const gone = { ...desk, folder: '/home/ada/gone', stands: false };
  peer.answer('GET', AT, 200, { folders: [desk, gone] });
  const project = routeKey(getTrust, { params: { project_id: 'one' } });
  queryClient.setQueryData(project, { state: 'trusted', by: 'list', folder: desk.folder });
  const user = mounted(<TrustedFolders />);
  await screen.findByText(desk.folder);
  screen.getByText('not trusted: another folder stands there, or none');
  screen.getByRole('button', { name: 'Remove: /home/ada/gone' });
  peer.answer('POST', `${AT}/revoke`, 200, { folders: [gone] });
  peer.answer('GET', AT, 200, { folders: [gone] });
  await user.click(screen.getByRole('button', { name: `Trust it no longer: ${desk.folder}` }));
  await waitFor(() => expect(screen.queryByText(desk.folder)).toBeNull());
  expect(peer.writes[0]?.body).toEqual({ folder: desk.folder });
  await waitFor(() => expect(queryClient.getQueryState(project)?.isInvalidated).toBe(true));
});

test('a refusal says that the folder is still trusted', async () => {
  peer.answer('GET', AT, 200, { folders: [desk] });
  const user = mounted(<TrustedFolders />);
  peer.answer('POST', `${AT}/revoke`, 500, {
    code: 'internal_error',
    message: 'The gateway failed. Its log has the cause.',
  });
  await user.click(
    await screen.findByRole('button', { name: `Trust it no longer: ${desk.folder}` }),
  );
  await screen.findByText('The folder is still trusted');
  screen.getByText(desk.folder);
});

test('without any, it says where the question is', async () => {
  peer.answer('GET', AT, 200, { folders: [] });
  mounted(<TrustedFolders />);
  await screen.findByTestId('no-trusted-folders');
});
