import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { getMe } from '../../server/contract/dashboard/session.ts';
import { CAPABILITIES } from '../../server/dashboard/access/capabilities.ts';
import { useHindrance } from './operator.ts';
import { routeQuery } from './query-client.ts';

function Hindrance({ capability }: { capability: string }) {
  return useHindrance(capability) ?? 'free';
}

function shown(capability: string, me?: { role: string; capabilities: string[] }): string {
  const client = new QueryClient();
  const rest = { identity: 'i', environments: null, auth_mode: 'static' as const };
  if (me !== undefined) client.setQueryData(routeQuery(getMe).queryKey, { ...rest, ...me });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Hindrance capability={capability} />
    </QueryClientProvider>,
  );
}

test('what an operator may do in the window is what /me says, and nothing else (OD-143)', () => {
  const me = { role: 'operator', capabilities: ['annotate'] };
  expect(shown('annotate', me)).toBe('free');
  expect(shown('run.control', me)).toBe('Your role (operator) does not include run.control.');
  expect(shown('run.control')).toBe('free');
});

test('every capability of the dashboard is asked for by the window, by its name (OD-143)', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const asked = Object.values(sources).flatMap((text) =>
    [...text.matchAll(/useHindrance\('([^']+)'\)/g)].map(([, name]) => name ?? ''),
  );
  expect([...new Set(asked)].sort()).toEqual([...CAPABILITIES].sort());
});
