import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type GatewayStatus, getGatewayStatus } from '../../server/contract/gateway/status.ts';
import { useLack } from './connections.ts';
import { routeQuery } from './query-client.ts';

const there = { present: true, reachable: true, address: null, problem: null, here: false };
const OLDER: GatewayStatus = {
  version: '1',
  connection: { id: 'a1', name: 'Team', kind: 'remote' },
  lacks: ['run again from a step'],
  services: { studio: there, dashboard: there, platform: there },
};

function Lack({ offer }: { readonly offer: Parameters<typeof useLack>[0] }) {
  return useLack(offer) ?? 'none';
}

function shown(offer: Parameters<typeof useLack>[0], status?: GatewayStatus): string {
  const client = new QueryClient();
  if (status !== undefined) client.setQueryData(routeQuery(getGatewayStatus).queryKey, status);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Lack offer={offer} />
    </QueryClientProvider>,
  );
}

test('what the platform of a connection cannot do is said in words, nothing else is', () => {
  expect(shown('rerun', OLDER)).toBe(
    'The platform of Team cannot run again from a step: it is an older version, or of another make.',
  );
  expect(shown('stop', OLDER)).toBe('none');
  expect(shown('rerun')).toBe('none');
});
