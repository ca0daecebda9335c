// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { currentPath, navigateTo } from '../../app/navigation.ts';
import type { FlowTrigger } from '../../run-input/flow-input.ts';
import { field } from '../../run-input/trigger-form.ts';
import { RunDialog } from './run-dialog.tsx';

freshWindows();

const ARTIFACT: AuthoredArtifact = {
  ...{ id: 'a'.repeat(32), project_id: 'default', alias: 'default', alias_generation: 1 },
  base: { path: 'desk.yaml', revision: 'b'.repeat(64) },
  ...{ overlays: [], overrides_sha256: 'c'.repeat(64), revision: 'd'.repeat(64) },
  ...{ created_at: '2026-11-23T00:00:00Z', analysis_ids: [], source_analysis_state: 'clear' },
  ...{ unacknowledged_manual_gaps: [], unresolved_blocking_gaps: [] },
};
const CHAT: FlowTrigger = {
  key: 'chat',
  name: 'When a message comes',
  fields: [field(['chatInput'], { label: 'What is said in the chat', kind: 'long_text' })],
};
const HOOK: FlowTrigger = {
  key: 'hook',
  name: 'Orders',
  fields: [field(['body', 'email'], { required: true }), field(['body', 'count'])],
};

/** The dialog of an artifact of a draft of its own: an input is kept for its draft. */
function dialog(path: string, flow: readonly FlowTrigger[] | null | undefined) {
  const artifact = { ...ARTIFACT, base: { ...ARTIFACT.base, path } };
  return mounted(
    <RunDialog
      flight={{ preflight: undefined, error: undefined, onRetry: () => undefined }}
      artifact={artifact}
      flow={({ children }) => children(flow)}
      onClose={() => undefined}
    />,
  );
}

function inputs(): unknown[] {
  return peer.writes.map(({ body }) => (body as { input: string }).input);
}

test('the form of a webhook is what the run gets; nothing starts before what it needs is there', async () => {
  const user = dialog('hook.yaml', [HOOK]);
  await user.type(await screen.findByLabelText('body.count'), '2');
  await user.click(screen.getByTestId('run-submit'));
  expect(screen.getByLabelText<HTMLInputElement>(/body\.email/).validity.valid).toBe(false);
  await user.click(screen.getByText('JSON'));
  await user.click(screen.getByTestId('run-submit'));
  await screen.findByText('Fill in body.email.');
  expect(peer.writes).toEqual([]);
  await user.click(screen.getByText('Form'));
  await user.type(screen.getByLabelText(/body\.email/), 'ada@example.org');
  expect(screen.queryByText('Fill in body.email.')).toBeNull();
  await user.click(screen.getByTestId('run-submit'));
  await waitFor(() => expect(inputs()).toHaveLength(1));
  expect(JSON.parse(String(inputs()[0]))).toEqual({
    body: { count: 2, email: 'ada@example.org' },
  });
});

test('of several triggers one is chosen, and sent with what its form says', async () => {
  const user = dialog('both.yaml', [CHAT, HOOK]);
  await user.type(await screen.findByLabelText('What is said in the chat'), 'hello');
  await user.click(screen.getByTestId('run-submit'));
  await waitFor(() => expect(inputs()).toHaveLength(1));
  expect(JSON.parse(String(inputs()[0]))).toEqual({
    trigger: 'chat',
    items: [{ chatInput: 'hello' }],
  });
  await user.selectOptions(screen.getByTestId('run-trigger'), 'Orders');
  await screen.findByLabelText(/body\.email/);
});

test('what is no item flow is asked for a text, whatever it looks like', async () => {
  const user = dialog('text.yaml', null);
  await user.type(await screen.findByTestId('run-input'), '{{"not": JSON');
  await user.click(screen.getByTestId('run-submit'));
  await waitFor(() => expect(inputs()).toEqual(['{"not": JSON']));
});

test('until the artifact is read, no run can be started', async () => {
  dialog('unread.yaml', undefined);
  await screen.findByRole('dialog');
  expect(screen.queryByTestId('run-submit')).toBeNull();
});

test('who went elsewhere before the answer came stays there, and is offered the way', async () => {
  const run = {
    ...{ id: 'e'.repeat(32), status: 'started', artifact_id: ARTIFACT.id, platform_run_id: 'r1' },
    ...{ platform: null, created_at: '2026-11-23T00:00:00Z', updated_at: '2026-11-23T00:00:00Z' },
  };
  peer.answer('POST', '/studio/api/projects/default/test-runs', 202, run);
  navigateTo('/projects/default/artifacts/a');
  const user = dialog('plain.yaml', null);
  const submit = await screen.findByTestId('run-submit');
  submit.click();
  navigateTo('/settings');
  await user.click(await screen.findByTestId('lead-on'));
  expect(currentPath()).toBe('/runs/r1');
});
