// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Role } from '../../../server/contract/studio/fields.ts';
import { freshWindows, memberOf, mounted, peer } from '../../../test/support/mounted.ts';
import { MembersPage } from './members-page.tsx';

freshWindows();

const AT = '/studio/api/projects/default';
const MEMBERS = [
  { principal_id: 'ada', display_name: 'Ada', role: 'owner', is_quota_principal: true },
  { principal_id: 'bob', display_name: 'Bob', role: 'viewer', is_quota_principal: false },
];
const INVITATION = {
  id: 'i1',
  role: 'viewer',
  selector_kind: 'verified_email',
  selector_value: 'Eve@example.com',
  expires_at: '2999-01-01T00:00:00Z',
  held_reason: 'selector_case_mismatch',
};

function page(role: Role, mode: 'none' | 'static' | 'oidc' = 'oidc') {
  const members =
    role === 'owner' ? MEMBERS : MEMBERS.map((one) => ({ ...one, is_quota_principal: false }));
  peer.answer('GET', `${AT}/members`, 200, members);
  peer.answer('GET', `${AT}/invitations`, 200, [INVITATION]);
  peer.answer('GET', `${AT}/quota-transfer`, 200, null);
  peer.answer('GET', `${AT}/limits`, 200, {
    taint_used: 1,
    taint_cap: 10,
    principal_taint_used: 0,
    principal_taint_cap: 10,
    retained_used: 1,
    retained_max: 100,
    nearest_cap: 'project',
  });
  peer.answer('GET', `${AT}/exposure/preflight`, 200, {
    root_identity: 'r',
    exposure_digest: 'd',
    privileged_entries: [],
    manifest: [],
    status: 'confirmed',
  });
  return mounted(<MembersPage projectId="default" />, [memberOf('default', role, mode)]);
}

const refuse = (method: string, where: string, code: string) =>
  peer.answer(method, AT + where, 409, { code, message: 'No.', request_id: 'r' });

test('a role that cannot be changed and a member who cannot be removed say what to do', async () => {
  const user = page('owner');
  const bob = within(await screen.findByTestId('member-Bob'));
  refuse('PUT', '/members/bob', 'last_owner');
  await user.selectOptions(bob.getByRole('combobox'), 'editor');
  await screen.findByText(/Make somebody else an owner first\./);
  refuse('DELETE', '/members/bob', 'quota_principal_membership');
  await user.click(bob.getByRole('button', { name: 'Remove Bob' }));
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  await screen.findByText(/Their storage carries the project\./);
  expect(screen.queryByText(/Make somebody else an owner first\./)).toBeNull();
  expect(peer.writes.map(({ method, body }) => [method, body])).toEqual([
    ['PUT', { role: 'editor' }],
    ['DELETE', undefined],
  ]);
});

test('an invitation is sent as named, and a held one says why and what to do', async () => {
  const user = page('owner', 'static');
  const form = within(await screen.findByTestId('invite-form'));
  expect(form.getByRole('option', { name: /E-mail address \(/ })).toHaveProperty('disabled', true);
  peer.answer('POST', `${AT}/invitations`, 202, { status: 'sent' });
  await user.type(form.getByTestId('invite-value'), 'carl{Enter}');
  await screen.findByText('carl is invited as viewer');
  expect(peer.writes.map(({ body }) => body)).toEqual([
    { role: 'viewer', selector_kind: 'static_username', selector_value: 'carl' },
  ]);
  await screen.findByText(/differs from yours in large and small letters/);
  refuse('DELETE', '/invitations/i1', 'invitation_not_found');
  await user.click(screen.getByRole('button', { name: /Take back/ }));
  await screen.findByText('It was not taken back');
});

test('whoever is no owner reads, and has nothing to press', async () => {
  page('viewer');
  await screen.findByTestId('limits');
  const shown = within(screen.getByTestId('members-page'));
  expect(shown.queryAllByRole('combobox')).toEqual([]);
  expect(shown.queryAllByRole('button')).toEqual([]);
  expect(shown.queryByTestId('invite-form')).toBeNull();
});

test('without sign-in there is nobody to share with', async () => {
  page('owner', 'none');
  await screen.findByText('You are alone here');
});
