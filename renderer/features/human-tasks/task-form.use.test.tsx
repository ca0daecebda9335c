// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { getMe } from '../../../server/contract/dashboard/session.ts';
import { PENDING_TASK } from '../../../test/support/human-task.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { routeQuery } from '../../data/query-client.ts';
import { TaskForm } from './task-form.tsx';

freshWindows();

const RESUME = '/dashboard/api/human-tasks/c1/resume';
const TAKEN = {
  ...{ continuation_id: 'c1', status: 'completed' },
  run_id: 'r1',
  idempotency_key: 'k',
};
const ME = { identity: 'i', role: 'operator', capabilities: ['run.control'], environments: null };

function form(task: Partial<typeof PENDING_TASK> = {}) {
  const onAnswered = vi.fn();
  const user = mounted(
    <TaskForm task={{ ...PENDING_TASK, ...task }} onAnswered={onAnswered} low={false} />,
    [[routeQuery(getMe).queryKey, { ...ME, auth_mode: 'static' }]],
  );
  return { user, onAnswered };
}

const button = (decision: string) => screen.getByTestId<HTMLButtonElement>(`decide-${decision}`);

test('a typed text makes an edit possible, and goes with it', async () => {
  peer.answer('POST', RESUME, 200, TAKEN);
  const { user, onAnswered } = form();
  expect(button('edited').disabled).toBe(true);
  await user.type(screen.getByLabelText('Your text'), 'Dear Ada');
  expect(button('edited').disabled).toBe(false);
  await user.click(button('edited'));
  await waitFor(() => expect(onAnswered).toHaveBeenCalledOnce());
  expect(peer.writes).toMatchObject([
    { path: RESUME, body: { request_id: 'q1', decision: 'edited' } },
  ]);
  expect(JSON.stringify(peer.writes[0]?.body)).toContain('Dear Ada');
});

test('an answer that was not taken says why, keeps the text and can be given again', async () => {
  peer.answer('POST', RESUME, 409, {
    detail: { error: 'resource_locked', message: 'Somebody else answers it.' },
  });
  const { user, onAnswered } = form();
  await user.type(screen.getByLabelText('Your text'), 'Dear Ada');
  await user.click(button('approved'));
  await screen.findByText(/Somebody else answers it/);
  expect(onAnswered).not.toHaveBeenCalled();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('Dear Ada');
  peer.answer('POST', RESUME, 200, TAKEN);
  await waitFor(() => expect(button('approved').disabled).toBe(false));
  await user.click(button('approved'));
  await waitFor(() => expect(onAnswered).toHaveBeenCalledOnce());
});

test('by keyboard: an option is chosen with an arrow and sent with Enter', async () => {
  peer.answer('POST', RESUME, 200, TAKEN);
  const { user, onAnswered } = form({ request_type: 'selection', options: ['left', 'right'] });
  expect(button('selected').disabled).toBe(true);
  await user.tab();
  await user.keyboard(' ');
  expect(screen.getByLabelText<HTMLInputElement>('left').checked).toBe(true);
  await user.keyboard('{ArrowDown}');
  expect(screen.getByLabelText<HTMLInputElement>('right').checked).toBe(true);
  await user.tab();
  await user.tab();
  expect(document.activeElement).toBe(button('selected'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(onAnswered).toHaveBeenCalledOnce());
  expect(peer.writes[0]?.body).toMatchObject({ decision: 'selected' });
  expect(JSON.stringify(peer.writes[0]?.body)).toContain('right');
});
