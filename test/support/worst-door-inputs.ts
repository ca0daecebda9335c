import { WINDOW_ORIGIN } from './worst-doors.ts';
import type { WorstInput } from './worst-inputs.ts';

type Named = readonly (readonly [what: string, body: () => string])[];

const MANY = 60_000;

function keys(count: number, value: unknown): object {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
}

const SETTINGS: readonly (readonly [path: string, what: string, body: () => unknown])[] = [
  ['/settings/preferences', '700 KB of keys', () => ({ preferences: keys(MANY, 0), version: 0 })],
  ['/settings/access', '900 KB of capabilities', () => ({ access: keys(MANY, []), version: 0 })],
  [
    '/settings/access/environments',
    '900 KB of environments',
    () => ({ environments: keys(45_000, ['a']), version: 0 }),
  ],
  [
    '/settings/access/environments',
    'lists that are wrong',
    () => ({ environments: keys(MANY, 0) }),
  ],
  ['/settings/pricing', 'a price of 900 KB', () => ({ blended_per_1k: '9'.repeat(900_000) })],
];

/** Texts that a search engine may read as words of its own. */
const SEARCHES: readonly (readonly [string, string])[] = [
  ['a search of 4 KB of one letter', 'a '.repeat(2000)],
  ['a search of 4 KB of stars', '* '.repeat(2000)],
  ['a search of NEAR( in NEAR(', 'NEAR('.repeat(700)],
  ['a search of %_ marks', '%_'.repeat(2000)],
];

function launches(specs: Named): WorstInput[] {
  return specs.flatMap(([what, body]) =>
    ['load', 'deploy', 'run'].map(
      (verb): WorstInput => ({
        service: 'dashboard',
        method: 'POST',
        path: `/api/launch/${verb}`,
        what,
        body: () => `${body().slice(0, -1)}${verb === 'run' ? ',"input_text":"x"' : ''}}`,
      }),
    ),
  );
}

const HEADERS = () => ({ origin: WINDOW_ORIGIN });

/** Headers without which a service looks at nothing. */
export function headersOf(service: WorstInput['service']): Readonly<Record<string, string>> {
  return service === 'gateway' ? HEADERS() : {};
}

/** What is thrown at the dashboard and the gateway, and searches of the platform. */
export function doorInputs(lists: Named, specs: Named): readonly WorstInput[] {
  return [
    ...launches(specs),
    ...lists.map(
      ([what, body]): WorstInput => ({
        ...{ service: 'dashboard', method: 'POST', path: '/api/launch/deploy', what, body },
      }),
    ),
    ...SETTINGS.map(
      ([path, what, body]): WorstInput => ({
        ...{ service: 'dashboard', method: 'PUT', path: `/api${path}`, what },
        body: () => JSON.stringify(body()),
      }),
    ),
    ...[...lists, ...specs].map(
      ([what, body]): WorstInput => ({
        ...{ service: 'gateway', method: 'POST', path: '/platform/v1/specs/validate', what, body },
        headers: HEADERS,
      }),
    ),
    ...SEARCHES.flatMap(([what, text]) =>
      (['platform', 'dashboard'] as const).map(
        (service): WorstInput => ({
          ...{ service, method: 'GET', what },
          path: `${service === 'platform' ? '/v1' : '/api'}/runs?q=${encodeURIComponent(text)}`,
        }),
      ),
    ),
    ...['/api/runs', '/api/audit-log', '/api/human-tasks', '/api/spend'].map(
      (path): WorstInput => ({
        ...{ service: 'dashboard', method: 'GET', path: `${path}?${'status=failed&'.repeat(900)}` },
        what: 'a query of 900 members',
      }),
    ),
  ];
}
