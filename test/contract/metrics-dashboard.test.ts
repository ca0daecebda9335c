// The Grafana dashboard asks /metrics for nothing that it does not have (contract/platform.md 11).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startTestPlatform } from '../support/platform.ts';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
}

const FILE = new URL('../../docs/deploy/grafana-platform.json', import.meta.url);
const dashboard: Dashboard = JSON.parse(readFileSync(FILE, 'utf8'));

/** A name with the labels that it is chosen by, and those that it is summed up by. */
const SERIES = /\b([a-z][a-z0-9_]*)\{([^}]*)\}/g;

function seriesOf(expr: string) {
  const by = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '));
  return [...expr.matchAll(SERIES)].map(([, name = '', chosen = '']) => ({
    name,
    labels: [...chosen.matchAll(/([a-z_]+)=~?"/g)].map(([, label = '']) => label).concat(by),
  }));
}

/** Every series that `/metrics` describes, with the labels that it may have. */
async function servedSeries(): Promise<ReadonlyMap<string, readonly string[]>> {
  const p = await startTestPlatform();
  try {
    const { text } = await p.get('/metrics');
    const of = (name: string, type: string): [string, readonly string[]][] => {
      if (type !== 'histogram') return [[name, ['instance']]];
      const labels = ['instance', 'workflow_kind'];
      if (name !== 'run_queue_wait_seconds') labels.push('outcome');
      return [
        [`${name}_bucket`, [...labels, 'le']],
        [`${name}_count`, labels],
        [`${name}_sum`, labels],
      ];
    };
    const lines = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    return new Map(lines.flatMap(([, name = '', type = '']) => of(name, type)));
  } finally {
    await p.stop();
  }
}

test('every series and label of the dashboard is one that /metrics has', async () => {
  const served = await servedSeries();
  const asked = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => {
      const series = seriesOf(expr);
      expect(series, expr).not.toEqual([]);
      return series;
    }),
  );
  for (const { definition } of dashboard.templating.list) {
    const [, name = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(definition ?? '') ?? [];
    if (definition !== undefined) asked.push({ name, labels: [label] });
  }
  expect(asked.length).toBeGreaterThan(25);
  for (const { name, labels } of asked) {
    expect([...served.keys()]).toContain(name);
    expect(served.get(name)).toEqual(expect.arrayContaining(labels));
  }
  // And each histogram is drawn.
  const drawn = new Set(asked.map(({ name }) => name));
  const buckets = [...served.keys()].filter((name) => name.endsWith('_bucket'));
  expect(buckets.filter((name) => !drawn.has(name))).toEqual([]);
});
