// @vitest-environment happy-dom
import type { ServerResponse } from 'node:http';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { queryClient } from '../../data/query-client.ts';
import { useRunItems } from '../runs/use-run-items.ts';
import { phaseText } from './trace-reducer.ts';
import { useTrace } from './use-trace.ts';

freshWindows();

const STREAM = '/dashboard/api/runs/r-7/trace/stream';
const ITEMS = '/dashboard/api/runs/r-7/record/items';
/** Longer than the pause between two reads of a run that nobody tells of. */
const PAUSE_MS = 4_000;

/** A run's trace beside a read that is made again while the run goes on. */
function Followed() {
  const { first } = useRunItems('r-7', 1, true);
  const isOver = first.data?.total === 9;
  const trace = useTrace('r-7', isOver, () => void queryClient.invalidateQueries());
  return (
    <p data-testid="trace">{`${phaseText(trace, isOver ? 2 : null)} ${trace.events.length}`}</p>
  );
}

const EVENT: TraceEvent = {
  ...{ ts: '2026-11-21T12:00:00Z', type: 'step', node: '', duration_ms: 0, kind: 'node' },
  ...{ input_preview: null, output_preview: null, error: null, event_id: null },
  ...{ span_id: null, parent_span_id: null, offline: false },
};
const send = (stream: ServerResponse | undefined, event: string, data: unknown, id?: number) =>
  stream?.write(
    `${id === undefined ? '' : `id: ${id}\r\n`}event: ${event}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`,
  );

const readsOf = (path: string) => peer.reads.filter((url) => url.startsWith(path)).length;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The streams that were opened, with the place they begin after. */
function streamsOf(): { readonly stream: ServerResponse; readonly after: string | null }[] {
  const opened: { stream: ServerResponse; after: string | null }[] = [];
  peer.stream(STREAM, (stream, query) => opened.push({ stream, after: query.get('after') }));
  return opened;
}

const items = (total: number) => peer.answer('GET', ITEMS, 200, { run_id: 'r-7', total, runs: [] });
const says = (text: string) =>
  waitFor(() => expect(screen.getByTestId('trace').textContent).toBe(text));

test('while a stream tells of a run nobody asks; when it breaks the asking begins again', {
  timeout: 40_000,
}, async () => {
  items(0);
  const opened = streamsOf();
  mounted(<Followed />);
  await waitFor(() => expect(opened).toHaveLength(1));
  send(opened[0]?.stream, 'trace', EVENT, 1);
  send(opened[0]?.stream, 'run', { status: 'blocked' });
  await says('Live 1');
  await pause(500);
  const before = readsOf(ITEMS);
  await pause(PAUSE_MS);
  expect(readsOf(ITEMS)).toBe(before);
  send(opened[0]?.stream, 'run', { status: 'running' });
  await waitFor(() => expect(readsOf(ITEMS)).toBe(before + 1));
  opened[0]?.stream.end();
  await says('Reconnecting 1');
  await waitFor(() => expect(opened).toHaveLength(2));
  // This one is of a service that tells nothing: the run is asked for as before.
  expect(opened[1]?.after).toBe('1');
  const broken = readsOf(ITEMS);
  await pause(PAUSE_MS);
  expect(readsOf(ITEMS)).toBeGreaterThan(broken);
  opened[1]?.stream.end();
});

test('a run that was over and goes on is followed again from its last event', async () => {
  items(0);
  const opened = streamsOf();
  mounted(<Followed />);
  await waitFor(() => expect(opened).toHaveLength(1));
  send(opened[0]?.stream, 'trace', EVENT, 1);
  send(opened[0]?.stream, 'trace', EVENT, 2);
  items(9);
  send(opened[0]?.stream, 'end', { reason: 'run_over' });
  opened[0]?.stream.end();
  await says('Complete 2');
  items(3);
  void queryClient.invalidateQueries();
  await waitFor(() => expect(opened).toHaveLength(2));
  expect(opened[1]?.after).toBe('2');
  await says('Live 2');
  opened[1]?.stream.end();
});

test('what a run that is over has left is no news: nothing is read again for it', async () => {
  items(9);
  const opened = streamsOf();
  mounted(<Followed />);
  await says('Opening 0');
  await waitFor(() => expect(readsOf(ITEMS)).toBe(1));
  await waitFor(() => expect(opened).toHaveLength(1));
  for (let id = 1; id <= 2; id += 1) {
    send(opened[0]?.stream, 'trace', EVENT, id);
    await pause(200);
  }
  send(opened[0]?.stream, 'run', { status: 'completed' });
  send(opened[0]?.stream, 'end', { reason: 'run_over' });
  opened[0]?.stream.end();
  await says('Complete 2');
  expect(readsOf(ITEMS)).toBe(1);
});
