// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, memberOf, mounted, peer } from '../../../test/support/mounted.ts';
import { history } from '../../app/navigation.ts';
import { ArtifactsPage } from './artifacts-page.tsx';

freshWindows();

const P = '/studio/api/projects/default';
const draft = {
  ...{ ref: 'desk.yaml', kind: 'spec', capabilities: 'edit', analysis_ids: [], revision: 'r' },
  ...{ registered_at: '2026-11-23T00:00:00Z', not_applicable_asserted: false },
  can_assert_not_applicable: true,
};

function openPage(role: 'editor' | 'viewer', drafts: readonly object[]) {
  history.push('/elsewhere');
  peer.answer('GET', `${P}/artifacts`, 200, []);
  peer.answer('GET', `${P}/drafts`, 200, drafts);
  return mounted(
    <ArtifactsPage projectId="default" draftRef={undefined} difference={() => null} />,
    [memberOf('default', role)],
  );
}

test.each([
  { drafts: [draft], label: 'Create an artifact…', leads: '/projects/default/compose' },
  { drafts: [], label: 'Go to the project', leads: '/projects/default' },
])('a project without artifacts leads to making one: $label', async ({ drafts, label, leads }) => {
  const user = openPage('editor', drafts);
  await user.click(await screen.findByText(label));
  await waitFor(() => expect(history.location.pathname).toBe(leads));
});

test('who may only look is led to nothing', async () => {
  openPage('viewer', [draft]);
  expect(await screen.findByText(/An artifact freezes a draft/)).toBeTruthy();
  expect(screen.queryByTestId('first-artifact')).toBeNull();
});
