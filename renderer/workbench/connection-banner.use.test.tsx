// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../test/support/mounted.ts';
import { followSignIn } from '../data/sign-in.ts';
import { ConnectionBanner } from './connection-banner.tsx';

freshWindows();

const STATUS = '/gateway/status';
const OVER = { code: 'gateway_session_expired', message: 'Over.', request_id: 'r' };

test('a session that is over before anything was read stays explained while it is looked again', async () => {
  peer.answer('GET', STATUS, 401, OVER);
  const user = mounted(<ConnectionBanner />);
  const dialog = await screen.findByTestId('session-ended');
  const gone: string[] = [];
  const watch = new MutationObserver(() => {
    if (!document.contains(dialog)) gone.push('dialog');
  });
  watch.observe(document.body, { childList: true, subtree: true });
  const before = peer.reads.length;
  await user.click(await screen.findByRole('button', { name: 'Check again' }));
  await waitFor(() => expect(peer.reads.length).toBeGreaterThan(before));
  await screen.findByText('This browser is still signed out.');
  watch.disconnect();
  expect(gone).toEqual([]);
});

test('a page that waits goes on as soon as another window of the browser was opened by a link', async () => {
  peer.answer('GET', STATUS, 401, OVER);
  const stop = followSignIn();
  mounted(<ConnectionBanner />);
  await screen.findByTestId('session-ended');
  const looks = () => peer.reads.filter((path) => path === STATUS).length;
  // It looks by itself after ever longer pauses: here it is between two looks.
  let seen = 0;
  await expect
    .poll(
      () => {
        const isQuiet = looks() > 2 && looks() === seen;
        seen = looks();
        return isQuiet;
      },
      { interval: 400 },
    )
    .toBe(true);
  const other = new BroadcastChannel('specwright-sign-in');
  other.postMessage('opened');
  await expect.poll(looks, { timeout: 300, interval: 20 }).toBeGreaterThan(seen);
  other.close();
  stop();
});
