import type { WorstInput } from './worst-inputs.ts';

type Made = readonly (readonly [what: string, body: () => string])[];

function members(count: number, name: (i: number) => string): string {
  return `{${Array.from({ length: count }, (_, i) => `"${name(i)}":0`).join(',')}}`;
}

/** JSON that costs its reader as much as its length allows; some of it just within what is counted. */
const BODIES: Made = [
  ['900 KB of one name again and again', () => members(95_000, () => 'same')],
  ['19,900 names', () => members(19_900, (i) => `k${i}`)],
  [
    '19,900 objects of one name each',
    () => `[${Array.from({ length: 19_900 }, (_, i) => `{"k${i}":0}`).join(',')}]`,
  ],
  [
    '60,000 objects of one name each',
    () => `[${Array.from({ length: 60_000 }, (_, i) => `{"k${i}":0}`).join(',')}]`,
  ],
  ['149,000 empty objects', () => `[${'{},'.repeat(148_999)}{}]`],
  ['names of 100 KB', () => members(9, (i) => `${'k'.repeat(100_000)}${i}`)],
  ['900 KB of escapes', () => `"${'\\u0001'.repeat(150_000)}"`],
  ['long fractions', () => `[${'1e-300,'.repeat(120_000)}1]`],
];

/** Where a body of any shape can be left, by service: as a document, as a setting, as nothing known. */
const DOORS: readonly (readonly [
  service: WorstInput['service'],
  method: WorstInput['method'],
  path: string,
  wrap: (json: string) => string,
])[] = [
  ['platform', 'POST', '/v1/runs', (json) => `{"input":"x","metadata":{"a":${json}}}`],
  ['platform', 'POST', '/v1/specs/validate', (json) => `{"spec":{"metadata":${json}}}`],
  ['platform', 'PUT', '/v1/policies/environment/worst', (json) => json],
  ['dashboard', 'PUT', '/api/settings/access', (json) => `{"capabilities":${json},"version":0}`],
  ['dashboard', 'POST', '/api/launch/deploy', (json) => `{"spec":{"metadata":{"a":${json}}}}`],
  ['studio', 'POST', '/api/projects/default/specs/preview', (json) => json],
  ['gateway', 'POST', '/platform/v1/specs/validate', (json) => `{"spec":${json}}`],
];

const QUERIES: readonly (readonly [service: WorstInput['service'], path: string])[] = [
  ['platform', '/v1/runs'],
  ['dashboard', '/api/runs'],
  ['studio', '/api/projects/default/drafts'],
  ['gateway', '/platform/v1/runs'],
];

/** Bodies, queries, headers and pieces that no honest client sends, at every door. */
export function bodyInputs(
  headers: (service: WorstInput['service']) => Readonly<Record<string, string>>,
): readonly WorstInput[] {
  const flood = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, 'v']));
  return [
    ...DOORS.flatMap(([service, method, path, wrap]) =>
      BODIES.map(
        ([what, json]): WorstInput => ({
          ...{ service, method, path, what, headers: () => headers(service) },
          body: () => wrap(json()),
        }),
      ),
    ),
    ...QUERIES.flatMap(([service, path]): WorstInput[] => [
      {
        ...{ service, method: 'GET', path: `${path}?${'a=1&'.repeat(10_000)}` },
        ...{ what: 'a query of 10,000 members', headers: () => headers(service) },
      },
      {
        ...{ service, method: 'GET', path, what: '900 headers' },
        headers: () => ({ ...headers(service), ...flood }),
      },
      {
        ...{ service, method: 'GET', path, what: 'a cookie of 15 KB' },
        headers: () => ({ ...headers(service), cookie: 'a=1; '.repeat(3000) }),
      },
    ]),
    ...(['platform', 'dashboard', 'studio'] as const).map((service): WorstInput => {
      const [, method, path] = DOORS.find(([name]) => name === service) ?? DOORS[0] ?? [];
      if (method === undefined || path === undefined) throw new TypeError('a door has a path');
      const body = () => `{"spec":"${'x'.repeat(20_000)}"}`;
      return { service, method, path, what: 'a body in pieces of a byte', body, pieces: 1 };
    }),
  ];
}
