// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { WebhooksPart } from './webhooks-part.tsx';

freshWindows();

const URL = 'https://example.com/hooks?token=t0p';
const AT = '2026-11-27T00:00:00.000000+00:00';
const HOOK = {
  ...{ id: 'h1', url: URL, events: ['run.ended'], description: 'Pager', enabled: true },
  ...{ disabled_because: null, waiting: 2, dead: 1, created_at: AT, updated_at: AT },
  ...{ last_success_at: null, last_failure_at: AT, last_failure: 'the receiver answered 500' },
};
const LETTER = {
  ...{ webhook_id: 'h1', event_id: 'e1', type: 'run.ended', run_id: 'r1', status: 'dead' },
  ...{ attempts: 8, last_error: 'the receiver answered 500', created_at: AT, updated_at: AT },
};
const ADMIN = {
  ...{ identity: 'ada', role: 'admin', environments: null, auth_mode: 'static' },
  capabilities: ['settings.write'],
};

function answers(hooks: readonly object[], me: object = ADMIN): void {
  peer.answer('GET', '/dashboard/api/me', 200, me);
  peer.answer('GET', '/dashboard/api/webhooks', 200, { available: true, webhooks: hooks });
  const letters = { rows: [LETTER], total: 1 };
  peer.answer('GET', '/dashboard/api/webhooks/dead-letters', 200, letters);
}

test('a receiver says what it is told, how the last attempt ended and what was given up', async () => {
  answers([HOOK]);
  mounted(<WebhooksPart />);
  const row = await screen.findByTestId('webhook-h1');
  for (const words of ['Pager', URL, 'a run is over', 'does not take them', 'answered 500']) {
    expect(row.textContent).toContain(words);
  }
  const letter = await screen.findByTestId('letter-e1');
  expect(letter.textContent).toContain('8 attempts');
});

test('one event that was given up is sent again, and all of them', async () => {
  answers([HOOK, { ...HOOK, id: 'h2', dead: 3 }, { ...HOOK, id: 'h3', enabled: false }]);
  for (const id of ['h1', 'h2']) {
    peer.answer('POST', `/dashboard/api/webhooks/${id}/repeat`, 200, { repeated: 1 });
  }
  const user = mounted(<WebhooksPart />);
  const letter = await screen.findByTestId('letter-e1');
  await user.click(within(letter).getByRole('button', { name: 'Send again' }));
  await screen.findByText('1 event is sent again');
  await waitFor(() => expect(screen.getByTestId('repeat-all')).toHaveProperty('disabled', false));
  await user.click(screen.getByTestId('repeat-all'));
  await screen.findByText('2 events are sent again');
  // One that is paused is left out: what waits for it would only wait.
  expect(peer.writes.map(({ path, body }) => [path, body])).toEqual([
    ['/dashboard/api/webhooks/h1/repeat', { event_id: 'e1' }],
    ['/dashboard/api/webhooks/h1/repeat', { event_id: null }],
    ['/dashboard/api/webhooks/h2/repeat', { event_id: null }],
  ]);
});

test('a receiver is added, and its secret is shown once', async () => {
  answers([]);
  const made = { webhook: HOOK, secret: 'whsec_c2VjcmV0' };
  peer.answer('POST', '/dashboard/api/webhooks', 201, made);
  const user = mounted(<WebhooksPart />);
  await user.click(await screen.findByTestId('webhook-add'));
  await user.type(await screen.findByTestId('webhook-url'), URL);
  await user.click(screen.getByTestId('webhook-task.created'));
  await user.click(screen.getByTestId('webhook-submit'));
  const secret = await screen.findByTestId('webhook-secret');
  expect(secret.textContent).toContain('whsec_c2VjcmV0');
  expect(peer.writes[0]?.body).toEqual({
    ...{ url: URL, description: '', enabled: true },
    events: ['run.ended', 'deadline.near'],
  });
});

test('pausing keeps what a receiver is told; a new secret and removing ask first', async () => {
  answers([HOOK]);
  peer.answer('PUT', '/dashboard/api/webhooks/h1', 200, { ...HOOK, enabled: false });
  const rotated = { webhook: HOOK, secret: 'whsec_bmV3' };
  peer.answer('POST', '/dashboard/api/webhooks/h1/rotate', 200, rotated);
  const user = mounted(<WebhooksPart />);
  await user.click(await screen.findByRole('button', { name: 'Pause Pager' }));
  await waitFor(() =>
    expect(peer.writes.map(({ body }) => body)).toEqual([
      { url: URL, description: 'Pager', events: ['run.ended'], enabled: false },
    ]),
  );
  await user.click(screen.getByRole('button', { name: 'New secret for Pager…' }));
  expect(peer.writes).toHaveLength(1);
  await user.click(await screen.findByTestId('webhook-rotate-submit'));
  expect((await screen.findByTestId('webhook-secret')).textContent).toContain('whsec_bmV3');
});

test('who may not change receivers sees why, and no button that works', async () => {
  answers([{ ...HOOK, url: 'https://example.com/…' }], {
    ...ADMIN,
    role: 'viewer',
    capabilities: [],
  });
  mounted(<WebhooksPart />);
  await screen.findByText(/Your role \(viewer\) does not include settings\.write\./);
  const inside = within(screen.getByTestId('webhooks'));
  await screen.findByTestId('letter-e1');
  const enabled = inside.queryAllByRole('button').filter((each) => !each.hasAttribute('disabled'));
  expect(enabled).toEqual([]);
});

test('a platform that tells nobody says so', async () => {
  answers([]);
  peer.answer('GET', '/dashboard/api/webhooks', 200, { available: false, webhooks: [] });
  mounted(<WebhooksPart />);
  await screen.findByText('This platform tells no other programs.');
  expect(screen.queryByTestId('webhook-add')).toBeNull();
});
