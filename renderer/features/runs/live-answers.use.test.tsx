// @vitest-environment happy-dom
import type { ServerResponse } from 'node:http';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LiveAnswer } from '../../../server/contract/platform/run-stream.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { LiveAnswers } from './live-answers.tsx';

freshWindows();

const STREAM = '/platform/v1/runs/r-7/events';

function opened(): ServerResponse[] {
  const streams: ServerResponse[] = [];
  peer.stream(STREAM, (stream) => streams.push(stream));
  return streams;
}

function say(stream: ServerResponse | undefined, over: Partial<LiveAnswer>): void {
  const call = { call_id: 'c-1', agent_name: 'writer', step_id: null };
  const data = { transient: true, ...call, text: '', cut: false, done: false, ...over };
  stream?.write(`event: answer\r\ndata: ${JSON.stringify(data)}\r\n\r\n`);
}

test('the answer of a model grows while it comes and makes room for what is stored', async () => {
  const streams = opened();
  mounted(<LiveAnswers runId="r-7" isLive />);
  await waitFor(() => expect(streams).toHaveLength(1));
  expect(screen.queryByTestId('live-answer')).toBeNull();
  say(streams[0], { text: 'The parcel is' });
  await waitFor(() => expect(screen.getByTestId('live-answer').textContent).toContain('parcel is'));
  expect(screen.getByRole('heading', { name: 'writer is answering' })).toBeTruthy();
  say(streams[0], { text: 'The parcel is on its way' });
  say(streams[0], { call_id: 'c-2', agent_name: 'checker', text: 'It seems' });
  await waitFor(() => expect(screen.getAllByTestId('live-answer')).toHaveLength(2));
  expect(screen.getAllByTestId('live-answer')[0]?.textContent).toContain('on its way');
  say(streams[0], { done: true });
  say(streams[0], { call_id: 'c-2', done: true });
  await waitFor(() => expect(screen.queryByTestId('live-answer')).toBeNull());
  streams[0]?.write('event: end\r\ndata: {"status":"completed"}\r\n\r\n');
  streams[0]?.end();
});

test('a run that is over is not followed, and a stream that breaks is opened again', {
  timeout: 20_000,
}, async () => {
  const streams = opened();
  mounted(<LiveAnswers runId="r-7" isLive={false} />);
  mounted(<LiveAnswers runId="r-7" isLive />);
  await waitFor(() => expect(streams).toHaveLength(1));
  say(streams[0], { text: 'Half of' });
  await waitFor(() => expect(screen.getByTestId('live-answer').textContent).toContain('Half of'));
  streams[0]?.end();
  await waitFor(() => expect(screen.queryByTestId('live-answer')).toBeNull());
  await waitFor(() => expect(streams).toHaveLength(2), { timeout: 10_000 });
  streams[1]?.end();
});
