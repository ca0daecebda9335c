// @vitest-environment happy-dom
import { notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { listHumanTasks } from '../../server/contract/dashboard/human-tasks.ts';
import { listRuns } from '../../server/contract/dashboard/runs.ts';
import { freshWindows, mounted, peer } from '../../test/support/mounted.ts';
import { history } from '../app/navigation.ts';
import { paths } from '../app/paths.ts';
import { setEnvironment } from '../data/chosen-environment.ts';
import { useOnScreen } from '../data/on-screen.ts';
import { preferencesStore } from '../data/preferences.ts';
import { queryClient, routePrefix } from '../data/query-client.ts';
import { NewsMenu } from './news-menu.tsx';
import { NO_NEWS } from './news-model.ts';
import { clearNews, newsStore, openNews } from './news-store.ts';
import { useNews } from './use-news.tsx';
import { useTaskBadge } from './use-task-badge.ts';

freshWindows();
afterEach(() => {
  vi.unstubAllGlobals();
  preferencesStore.set({});
  setEnvironment(null);
  newsStore.set(NO_NEWS);
  sessionStorage.clear();
});

const page = (rows: readonly object[]) => ({
  ...{ rows, count: rows.length, total: rows.length, limit: 50, offset: 0, window: 10_000 },
});
const run = (run_id: string, status: string) => ({
  ...{ run_id, status, workflow_name: 'invoice', workflow_kind: 'graph', agent_name: 'clerk' },
  ...{ current_node_id: null, current_step_index: null, current_step_id: null, usage: null },
  ...{ updated_age: '1m', created_at: null, updated_at: '2026-11-21T08:00:00Z', environment: null },
  ...{ blocked: false, has_error: false, stuck: false, stuck_reason: null, offline: false },
  ...{ spec_name: null, session_id: null, started_at: null, completed_at: null },
  ...{ input_preview: null, output_preview: null, error_preview: 'no paper' },
});

function Window() {
  useTaskBadge();
  useNews();
  return <NewsMenu />;
}

const RUNS = '/dashboard/api/runs';
const list = (...rows: object[]) => ({ ...page(rows), unsupported_filters: [] });

async function openWindow(beside?: ReactNode) {
  peer.answer('GET', RUNS, 200, list(run('run-a', 'running')));
  peer.answer('GET', '/dashboard/api/human-tasks', 200, page([]));
  const user = mounted(
    <>
      <Window />
      {beside}
    </>,
  );
  await waitFor(() => expect(newsStore.get().seen).not.toBeNull());
  return user;
}

async function readAgain(): Promise<void> {
  for (const route of [listRuns, listHumanTasks]) {
    await queryClient.invalidateQueries({ queryKey: routePrefix(route) });
  }
}

/** What the window tells through the system from now on. */
function newsOfSystem() {
  const told: { title: string; onclick?: () => void }[] = [];
  class SystemNews {
    static permission = 'granted';
    onclick?: () => void;
    readonly title: string;
    constructor(title: string) {
      this.title = title;
      told.push(this);
    }
  }
  vi.stubGlobal('Notification', SystemNews);
  return told;
}

test('a failure is told in the window, kept behind the bell and opened from there', async () => {
  const user = await openWindow();
  peer.answer('GET', RUNS, 200, list(run('run-a', 'failed')));
  await readAgain();
  await screen.findByText('See the run');
  await user.click(screen.getByLabelText('News: 1 not seen'));
  expect((await screen.findByTestId('news-centre')).textContent).toContain('clerk run-a failed');
  await user.click(screen.getByRole('button', { name: /clerk run-a failed/ }));
  expect(history.location.pathname).toBe('/runs/run-a');
  expect(newsStore.get().unread).toBe(0);
  setEnvironment('staging');
  expect(newsStore.get().kept).toEqual([]);
});

/** What a reload does: the page forgets, and reads what it kept for this person. */
function reload(identity = ''): void {
  openNews('somebody who is gone');
  newsStore.set(NO_NEWS);
  openNews(identity);
}

test('the bell keeps its history over a reload, by person and environment, until it is cleared', async () => {
  const user = await openWindow();
  peer.answer('GET', RUNS, 200, list(run('run-a', 'failed')));
  await readAgain();
  await waitFor(() => expect(newsStore.get().kept).toHaveLength(1));
  reload();
  expect(newsStore.get()).toMatchObject({ unread: 1, kept: [{ title: 'clerk run-a failed' }] });
  // What runs say is not written down.
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('no paper');
  reload('ada');
  expect(newsStore.get().kept).toEqual([]);
  reload();
  setEnvironment('staging');
  expect(newsStore.get().kept).toEqual([]);
  setEnvironment(null);
  expect(newsStore.get().kept).toHaveLength(1);

  await user.click(screen.getByLabelText('News: 1 not seen'));
  await screen.findByRole('button', { name: /^New: clerk run-a failed/ });
  await user.click(screen.getByTestId('news-read'));
  expect(screen.queryByText('New:')).toBeNull();
  reload();
  expect(newsStore.get()).toMatchObject({ unread: 0, kept: [{ title: 'clerk run-a failed' }] });
  await user.click(screen.getByTestId('news-clear'));
  await screen.findByText(/^Nothing is new\./);
  reload();
  expect(newsStore.get().kept).toEqual([]);
  notifications.clean();
});

test('what stands in the memory and is no news is not told, and not more than there is room for', () => {
  sessionStorage.setItem('sw:news:[null,null,"bo"]', '{"kept":[{"id":1}],"unread":1}');
  reload('bo');
  expect(newsStore.get()).toEqual(NO_NEWS);
  const kept = Array.from({ length: 60 }, (_, at) => ({
    ...{ id: `failed ${at}`, kind: 'failed' as const, title: `run ${at}`, about: 'said' },
    ...{ to: '/runs/x', at },
  }));
  newsStore.set({ ...NO_NEWS, kept, unread: 60 });
  reload('bo');
  expect(newsStore.get().kept).toHaveLength(50);
  expect(newsStore.get().unread).toBe(50);
  clearNews();
});

const taskOf = (continuation_id: string) => ({
  ...{ continuation_id, run_id: 'run-a', workflow_name: 'invoice', input_preview: 'R-118' },
  ...{ workflow_kind: 'graph', request_summary: 'Pay it?', request_id: null, status: 'pending' },
  ...{ deadline_age: 'in 4m', near_deadline: false, created_age: '1m', options: [] },
  ...{ request_type: 'approval', default_option: null, on_timeout: null, expires_at: null },
});

test('tasks that come one after another cover no more than a few lines of the window', async () => {
  await openWindow();
  const tasks = ['t1', 't2', 't3', 't4', 't5'].map(taskOf);
  for (const count of [2, 4, 5]) {
    peer.answer('GET', '/dashboard/api/human-tasks', 200, page(tasks.slice(0, count)));
    await readAgain();
    await waitFor(() => expect(newsStore.get().kept).toHaveLength(count));
  }
  await screen.findByText('2 more: see the bell above');
  expect(screen.getAllByText('Decide')).toHaveLength(3);
  notifications.clean();
});

test('what was told of a task goes when somebody else has answered it', async () => {
  await openWindow();
  peer.answer('GET', '/dashboard/api/human-tasks', 200, page([taskOf('another')]));
  await readAgain();
  await screen.findByText('Decide');
  peer.answer('GET', '/dashboard/api/human-tasks', 200, page([]));
  await readAgain();
  // Left alone it would stand there for eight seconds.
  await waitFor(() => expect(screen.queryByText('Decide')).toBeNull(), { timeout: 5_000 });
});

test('what is on screen is not covered by the news of it, but kept behind the bell', async () => {
  function Shown() {
    useOnScreen(paths.run('run-d'));
    return null;
  }
  await openWindow(<Shown />);
  const all = [run('run-c', 'failed'), run('run-d', 'failed')];
  peer.answer('GET', RUNS, 200, list(...all));
  await readAgain();
  await screen.findByText('clerk run-c failed');
  const kept = newsStore.get().kept.map(({ title }) => title);
  expect(kept.slice(0, 2)).toEqual(['clerk run-c failed', 'clerk run-d failed']);
  expect(screen.queryByText('clerk run-d failed')).toBeNull();
  notifications.clean();
});

test('the overview lists what is new: nothing is told beside it, but kept', async () => {
  function Shown() {
    useOnScreen(paths.overview());
    return null;
  }
  await openWindow(<Shown />);
  peer.answer('GET', RUNS, 200, list(run('run-f', 'failed')));
  peer.answer('GET', '/dashboard/api/human-tasks', 200, page([taskOf('t9')]));
  await readAgain();
  await waitFor(() => expect(newsStore.get().unread).toBe(2));
  expect(screen.queryByText('clerk run-f failed')).toBeNull();
  expect(screen.queryByText('Decide')).toBeNull();
});

test('while the window is not in front the system tells it, and leads to the run', async () => {
  const told = newsOfSystem();
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  preferencesStore.set({ desktop_news: true });
  await openWindow();
  history.push('/');
  peer.answer('GET', RUNS, 200, list(run('run-b', 'failed'), run('run-a', 'running')));
  await readAgain();
  await waitFor(() => expect(told.map(({ title }) => title)).toEqual(['clerk run-b failed']));
  told[0]?.onclick?.();
  expect(history.location.pathname).toBe('/runs/run-b');
});

test('runs of which nothing can be told are asked for in brief', async () => {
  await openWindow();
  const asked = await waitFor(() => {
    const found = peer.reads.find((path) => path.startsWith(`${RUNS}?`));
    expect(found).toBeDefined();
    return new URL(found ?? '', 'http://peer').searchParams;
  });
  const brief = asked.get('brief')?.split(',');
  expect(brief).toContain('completed');
  expect(brief).not.toContain('failed');
  expect(brief).not.toContain('blocked');
});

test('a finished run is told by the system when that is wanted, and not to who looks at the window', async () => {
  const told = newsOfSystem();
  const looking = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  preferencesStore.set({ desktop_news: true });
  await openWindow();
  history.push('/');
  peer.answer('GET', RUNS, 200, list(run('run-b', 'completed'), run('run-a', 'running')));
  await readAgain();
  // Nobody has asked for it yet.
  await waitFor(() =>
    expect(String([...(newsStore.get().seen ?? [])])).toContain('finished run-b'),
  );
  expect(told).toEqual([]);
  preferencesStore.set({ desktop_news: true, muted: [] });
  peer.answer('GET', RUNS, 200, list(run('run-c', 'completed'), run('run-a', 'running')));
  await readAgain();
  await waitFor(() => expect(told.map(({ title }) => title)).toEqual(['clerk run-c finished']));
  told[0]?.onclick?.();
  expect(history.location.pathname).toBe('/runs/run-c');
  looking.mockReturnValue(true);
  peer.answer('GET', RUNS, 200, list(run('run-d', 'completed')));
  await readAgain();
  await waitFor(() => expect(newsStore.get().kept[0]?.title).toBe('clerk run-d finished'));
  expect(told).toHaveLength(1);
  expect(screen.queryByText('clerk run-d finished')).toBeNull();
});

test('what is told stands in a corner where it covers no decision', async () => {
  const box = (left: number, top: number) => new DOMRect(left, top, 100, 30);
  await openWindow(
    <ul data-kept-free>
      <li>
        <button type="button">Reject</button>
      </li>
    </ul>,
  );
  const button = screen.getByText('Reject');
  vi.spyOn(button, 'getBoundingClientRect').mockReturnValue(
    box(window.innerWidth - 200, window.innerHeight - 60),
  );
  peer.answer('GET', RUNS, 200, list(run('run-g', 'failed')));
  await readAgain();
  const told = await screen.findByText('clerk run-g failed');
  const corner = told.closest('.mantine-Notifications-root')?.getAttribute('data-position');
  expect(corner).toBe('top-right');
  notifications.clean();
});
