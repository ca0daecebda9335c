// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { getMe } from '../../../server/contract/dashboard/session.ts';
import { PENDING_TASK } from '../../../test/support/human-task.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { routeQuery } from '../../data/query-client.ts';
import { decisions, decisionsStore } from './held-decisions.ts';
import { TaskForm } from './task-form.tsx';

freshWindows();

const ME = { identity: 'i', role: 'operator', capabilities: ['run.control'], environments: null };

/** Each test has a task of its own, since the window remembers what was decided. */
let taskId = 'c0';
beforeEach(() => {
  taskId = `c${Number(taskId.slice(1)) + 1}`;
});
const resume = () => `/dashboard/api/human-tasks/${taskId}/resume`;

function accepts(): void {
  const taken = { continuation_id: taskId, status: 'completed', run_id: 'r1' };
  peer.answer('POST', resume(), 200, { ...taken, idempotency_key: 'k' });
}

function form(task: Partial<typeof PENDING_TASK> = {}) {
  const onAnswered = vi.fn();
  const shown = { ...PENDING_TASK, continuation_id: taskId, ...task };
  const user = mounted(
    <TaskForm task={shown} subject="flow" onAnswered={onAnswered} low={false} />,
    [[routeQuery(getMe).queryKey, { ...ME, auth_mode: 'static' }]],
  );
  return { user, onAnswered };
}

const button = (decision: string) => screen.getByTestId<HTMLButtonElement>(`decide-${decision}`);
const heldTask = () => decisionsStore.get().held?.taskId;

test('a typed text makes an edit possible, and goes with it once its moment is over', async () => {
  accepts();
  const { user, onAnswered } = form();
  expect(button('edited').disabled).toBe(true);
  await user.type(screen.getByLabelText('Your text'), 'Dear Ada');
  expect(button('edited').disabled).toBe(false);
  await user.click(button('edited'));
  expect(heldTask()).toBe(taskId);
  expect(peer.writes).toEqual([]);
  decisions.flush();
  await waitFor(() => expect(onAnswered).toHaveBeenCalled());
  expect(peer.writes).toMatchObject([
    { path: resume(), body: { request_id: 'q1', decision: 'edited', content: 'Dear Ada' } },
  ]);
  expect(button('approved').disabled).toBe(true);
});

test('a decision that is undone sends nothing; another one takes its place', async () => {
  accepts();
  const { user, onAnswered } = form();
  await user.click(button('rejected'));
  decisions.undo();
  await user.click(button('rejected'));
  await user.click(button('approved'));
  expect(peer.writes).toEqual([]);
  decisions.flush();
  await waitFor(() => expect(onAnswered).toHaveBeenCalled());
  expect(peer.writes.map(({ body }) => body)).toMatchObject([{ decision: 'approved' }]);
});

test('whoever leaves the page of the run sends what was taken there', async () => {
  accepts();
  const { user } = form();
  await user.click(button('approved'));
  cleanup();
  expect(heldTask()).toBe(undefined);
  await waitFor(() => expect(peer.writes).toHaveLength(1));
});

test('an answer that was not taken says why, keeps the text and can be given again', async () => {
  peer.answer('POST', resume(), 409, {
    detail: { error: 'resource_locked', message: 'Somebody else answers it.' },
  });
  const { user, onAnswered } = form();
  await user.type(screen.getByLabelText('Your text'), 'Dear Ada');
  await user.click(button('approved'));
  decisions.flush();
  await screen.findByText(/Somebody else answers it/);
  expect(onAnswered).not.toHaveBeenCalled();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('Dear Ada');
  accepts();
  await waitFor(() => expect(button('approved').disabled).toBe(false));
  await user.click(button('approved'));
  decisions.flush();
  await waitFor(() => expect(onAnswered).toHaveBeenCalled());
});

test('by keyboard: an option is chosen with an arrow and sent with Enter', async () => {
  accepts();
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
  decisions.flush();
  await waitFor(() => expect(onAnswered).toHaveBeenCalled());
  expect(peer.writes[0]?.body).toMatchObject({ decision: 'selected' });
  expect(JSON.stringify(peer.writes[0]?.body)).toContain('right');
});
