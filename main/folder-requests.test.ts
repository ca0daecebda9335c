import { expect, test, vi } from 'vitest';
import type { OpenFolderMessage } from '../server/host/protocol.ts';
import { FolderRequests } from './folder-requests.ts';

test('each question gets its own answer', async () => {
  const requests = new FolderRequests();
  const sent: OpenFolderMessage[] = [];
  const send = (message: OpenFolderMessage) => sent.push(message) > 0;
  const [a, b] = [requests.ask('/a', send), requests.ask('/b', send)];
  expect(sent.map(({ folder }) => folder)).toEqual(['/a', '/b']);
  const answer = (at: number, project_id: string) =>
    requests.answered({
      type: 'folder',
      id: sent[at]?.id ?? 0,
      project_id,
      known: false,
      problem: null,
    });
  answer(1, 'pb');
  answer(0, 'pa');
  answer(0, 'again');
  expect((await a).project_id).toBe('pa');
  expect((await b).project_id).toBe('pb');
});

test('who cannot be asked, ends or stays silent is told as a problem', async () => {
  const requests = new FolderRequests();
  expect((await requests.ask('/a', () => false)).problem).toMatch(/not running/);
  const asked = requests.ask('/a', () => true);
  requests.ended();
  expect((await asked).problem).toMatch(/not running/);
  vi.useFakeTimers();
  const silent = requests.ask('/a', () => true);
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  expect((await silent).problem).toMatch(/did not answer/);
});
