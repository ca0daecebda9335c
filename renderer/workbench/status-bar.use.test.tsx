// @vitest-environment happy-dom
import type { ServerResponse } from 'node:http';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type GatewayStatus, getGatewayStatus } from '../../server/contract/gateway/status.ts';
import { freshWindows, mounted, peer } from '../../test/support/mounted.ts';
import { queryClient, routePrefix } from '../data/query-client.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { StatusBar } from './status-bar.tsx';

freshWindows();

const STATUS = '/gateway/status';
const FOLLOWED = '/gateway/status/stream';
const READY = '/platform/v1/readyz';
const PROBE = { ok: true, service: 'run-platform', version: '1.3.0', metadata: {} };

/** A window on the connection "Team", whose platform answers, is away, or is none. */
function team(platform: 'answers' | 'away' | 'none'): GatewayStatus {
  const there = { present: true, reachable: true, problem: null, here: false };
  const service = { ...there, address: 'https://team.example' };
  const away = { ...service, reachable: false, problem: 'connection_unreachable' };
  const none = { present: false, reachable: false, address: null, problem: null, here: true };
  return {
    version: '1.0.0',
    connection: { id: 'team1234', name: 'Team', kind: 'remote' },
    lacks: [],
    services: {
      studio: { ...service, here: true },
      dashboard: service,
      platform: { answers: service, away, none }[platform],
    },
  };
}

/** What the gateway says at an address and by its stream; the stream is handed over. */
async function openWindow(status: GatewayStatus): Promise<(next: GatewayStatus) => void> {
  const streams: ServerResponse[] = [];
  const tell = (next: GatewayStatus): void => {
    peer.answer('GET', STATUS, 200, next);
    for (const one of streams) one.write(`event: status\ndata: ${JSON.stringify(next)}\n\n`);
  };
  peer.stream(FOLLOWED, (stream) => {
    streams.push(stream);
    tell(status);
  });
  peer.answer('GET', STATUS, 200, status);
  mounted(
    <>
      <ConnectionBanner />
      <StatusBar projectId={undefined} />
    </>,
  );
  await waitFor(() => expect(streams).toHaveLength(1));
  return tell;
}

const item = () => screen.getByTestId('status-platform');

test('a platform that goes away is not called ready, also where a failed read knew it first', async () => {
  peer.answer('GET', READY, 200, PROBE);
  const tell = await openWindow(team('answers'));
  await waitFor(() => expect(item().textContent).toBe('Platform ready'));

  // A page's read failed, and asked which service is silent before the stream said it.
  peer.answer('GET', READY, 502, { code: 'connection_unreachable', message: 'It is away.' });
  peer.answer('GET', STATUS, 200, team('away'));
  await queryClient.invalidateQueries({ queryKey: routePrefix(getGatewayStatus) });
  tell(team('away'));
  await waitFor(() => expect(item().textContent).toBe('Platform of Team does not answer'));
  expect(item().dataset['state']).toBe('unreachable');

  peer.answer('GET', READY, 200, PROBE);
  peer.answer('GET', STATUS, 200, team('answers'));
  await queryClient.invalidateQueries({ queryKey: routePrefix(getGatewayStatus) });
  tell(team('answers'));
  await waitFor(() => expect(item().textContent).toBe('Platform ready'));
});

test('a platform that answers that it is not ready is not called unreachable', async () => {
  peer.answer('GET', READY, 503, { code: 'not_ready', message: 'Starting.' });
  await openWindow(team('answers'));
  await waitFor(() => expect(item().textContent).toBe('Platform of Team is not ready'));
});

test('a connection without a platform has none to be ready', async () => {
  await openWindow(team('none'));
  await waitFor(() => expect(item().textContent).toBe('Team has no platform'));
});
