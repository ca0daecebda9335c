// Data folders of released versions: made once by the program of a version, then kept in
// test/fixtures/stores and opened by every later one.
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { parse } from 'yaml';
import { ASKING, type Cli, GREETER } from './cli.ts';
import type { Loose } from './platform.ts';
import type { Served } from './served.ts';

/** What was read through a service right after its store was made. */
export interface StoredAnswer {
  readonly service: 'platform' | 'dashboard' | 'studio';
  readonly route: string;
  readonly body: Loose;
}

/** Ids of what can go on in a kept folder, and what its services answered. */
export interface StoreFacts {
  readonly completed_run: string;
  readonly waiting_run: string;
  readonly answers: readonly StoredAnswer[];
}

/** Kept folders, one for each version. */
export const RELEASED = fileURLToPath(new URL('../fixtures/stores', import.meta.url));
const EXPORT = new URL('../fixtures/n8n/switch-all-matching.json', import.meta.url);
const STUDIO = '/api/projects/default';
/** The tree of the project that a first start makes. */
const PROJECT = 'projects/default';
const KEPT = [
  'platform.db',
  'dashboard.db',
  'dashboard.db.generation',
  'studio/studio.db',
  'studio/analysis-keyring.json',
];

/** The data folder of a command line. */
function dataFolder(cli: Cli): string {
  return path.join(cli.folder, 'state/specwright');
}

/** Keeps a folder that nobody serves any more, small and without what was removed from it. */
export function keepStores(cli: Cli, version: string, facts: StoreFacts): void {
  const folder = path.join(RELEASED, version);
  for (const name of KEPT) {
    const file = path.join(dataFolder(cli), name);
    const target = path.join(folder, `${name}.gz`);
    mkdirSync(path.dirname(target), { recursive: true });
    if (name.endsWith('.db')) {
      const store = new Sqlite(file);
      store.exec('VACUUM');
      store.pragma('wal_checkpoint(TRUNCATE)');
      store.close();
    }
    writeFileSync(target, gzipSync(readFileSync(file), { level: 9 }));
  }
  cpSync(path.join(dataFolder(cli), PROJECT), path.join(folder, PROJECT), { recursive: true });
  writeFileSync(path.join(folder, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`);
}

/** Lays a kept folder out as the data folder of a command line. */
export function layOut(cli: Cli, version: string): StoreFacts {
  const folder = path.join(RELEASED, version);
  for (const name of KEPT) {
    const file = path.join(dataFolder(cli), name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, gunzipSync(readFileSync(path.join(folder, `${name}.gz`))), { mode: 0o600 });
  }
  cpSync(path.join(folder, PROJECT), path.join(dataFolder(cli), PROJECT), { recursive: true });
  const studio = new Sqlite(path.join(dataFolder(cli), 'studio/studio.db'));
  const root = realpathSync(path.join(dataFolder(cli), PROJECT));
  studio.prepare("UPDATE project SET root = ? WHERE id = 'default'").run(root);
  studio.close();
  return JSON.parse(readFileSync(path.join(folder, 'facts.json'), 'utf8'));
}

/** Calls a service of a served folder. */
export async function call(
  cli: Cli,
  served: Served,
  service: StoredAnswer['service'],
  route: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Loose> {
  const response = await fetch(served.ready[service] + route, {
    method,
    headers: { ...cli.credential(), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Waits until a run has a status. */
export async function runWith(
  cli: Cli,
  served: Served,
  id: string,
  status: string,
): Promise<Loose> {
  for (let tries = 0; tries < 300; tries += 1) {
    const run = await call(cli, served, 'platform', `/v1/runs/${id}`);
    if (run.status === status) return run;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the run ${id} is not ${status}`);
}

/** Uses every service once, as people do; what they answered then. */
export async function fillStores(cli: Cli, served: Served): Promise<StoreFacts> {
  const dashboard = (route: string, body?: unknown, method?: string) =>
    call(cli, served, 'dashboard', route, body, method);
  const studio = (route: string, body?: unknown) =>
    call(cli, served, 'studio', STUDIO + route, body);
  const launch = async (spec: string, input_text: string): Promise<string> =>
    (await dashboard('/api/launch/run', { spec: parse(spec), input_text })).run_id;

  const completed = await launch(GREETER, 'Write to Ada.');
  const waiting = await launch(ASKING, 'Write to Grace.');
  await runWith(cli, served, completed, 'completed');
  await runWith(cli, served, waiting, 'blocked');
  await dashboard(`/api/runs/${completed}/annotations`, { body: 'Well said.', tags: ['good'] });
  await dashboard('/api/saved-filters', { name: 'Ended', filters: { status: 'completed' } });
  await dashboard(
    '/api/settings/pricing',
    { blended_per_1k: 0.5, currency: 'EUR', version: 0 },
    'PUT',
  );

  const draft = await studio('/drafts', { name: 'greeter', kind: 'spec', text: GREETER });
  const base = { path: draft.ref, revision: draft.revision };
  await studio('/artifacts', { base, alias: 'default' });
  const raw = readFileSync(EXPORT, 'utf8');
  const imported = await studio('/import/n8n', { raw, alias: 'default', conversion: 'strict' });
  const [analysis] = imported.analysis_ids;
  const saved = await call(
    cli,
    served,
    'studio',
    `${STUDIO}/drafts/${imported.draft.path}`,
    { text: `${imported.spec_yaml}# answered\n`, expected_revision: imported.draft.revision },
    'PUT',
  );
  const blocking = imported.gaps.find(({ severity }: Loose) => severity === 'blocking');
  await studio(`/analyses/${analysis}/resolutions`, {
    gap_id: blocking.ref.gap_id,
    ref: imported.draft.path,
    expected_revision: saved.revision,
    event: 'attest',
  });
  const routes = {
    platform: [
      `/v1/runs/${completed}`,
      `/v1/runs/${completed}/trace`,
      `/v1/runs/${completed}/checkpoints?limit=2`,
      `/v1/runs/${waiting}/graph`,
      '/v1/runs?q=grace&limit=5',
      '/v1/human-tasks',
    ],
    dashboard: [
      `/api/runs/${completed}/annotations`,
      '/api/saved-filters',
      '/api/settings/pricing',
      '/api/launch/history',
      '/api/audit-log',
    ],
    studio: ['/drafts', '/artifacts', `/analyses/${analysis}`].map((route) => STUDIO + route),
  };
  const answers: StoredAnswer[] = [];
  for (const service of ['platform', 'dashboard', 'studio'] as const) {
    for (const route of routes[service]) {
      answers.push({ service, route, body: await call(cli, served, service, route) });
    }
  }
  return { completed_run: completed, waiting_run: waiting, answers };
}
