// A team's services as processes of their own over one PostgreSQL, behind the proxy that checks who asks.
import path from 'node:path';
import pg from 'pg';
import { AccessTokens } from '../../../server/identity/access-tokens.ts';
import { bearerOf } from '../../../server/identity/request-bearer.ts';
import { isObject } from '../../../server/kernel/json.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
  TEAM_RESOURCE,
} from '../../support/identity-provider.ts';
import { startMcpHttpServer, type TestMcpHttpServer } from '../../support/mcp-http-server.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { type Collector, startCollector } from '../../support/otlp-collector.ts';
import { startPostgresServer } from '../../support/postgres-server.ts';
import { type Peer, passingOn, startPeer } from '../../support/remote-peers.ts';
import { dashboardEnv } from '../../support/team-server.ts';
import { type Authority, makeAuthority } from '../../support/test-authority.ts';
import { scratchFolder } from './scratch-folder.ts';
import { type Alone, serveAlone } from './serve-one.ts';
import { freePort } from './team.ts';

/** Who works with the team from another computer. */
const PERSON = 'ada';
const KEYS = {
  window: 'key-of-windows',
  dashboard: 'key-of-the-dashboard',
  team: 'key-of-the-team',
};

/** What the team has; each part is a process or a server of its own. */
export interface TeamNodes {
  readonly api: Alone;
  readonly workers: readonly Alone[];
  readonly provider: IdentityProvider;
  readonly collector: Collector;
  readonly models: ModelServer;
  readonly tools: TestMcpHttpServer;
  readonly authority: Authority;
  /** Addresses for windows of other computers, where tokens of the provider are checked. */
  readonly front: { readonly platform: string; readonly dashboard: string };
  /** Asks the platform as a colleague does; answers the parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any part of an answer
  ask(path: string, body?: unknown): Promise<any>;
  /** The worker that executes a run now. */
  workerOf(runId: string): Promise<Alone>;
  stop(): Promise<void>;
}

/** True for a token of the provider, for the team's services, that names the person. */
async function isTokenOf(provider: IdentityProvider, authorization = ''): Promise<boolean> {
  const signer = { issuer: provider.issuer, keys: `${provider.issuer}/jwks` };
  const tokens = new AccessTokens(() => Promise.resolve(signer), TEAM_RESOURCE, Date.now);
  const checked = await tokens.check(bearerOf({ authorization }) ?? '');
  return 'claims' in checked && isObject(checked.claims) && checked.claims['sub'] === PERSON;
}

/** The process that holds a run: its token names the node, and the node's sign of life its process. */
async function holderOf(database: string, runId: string): Promise<number> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT locks.owner FROM runs JOIN locks
        ON locks.name = 'process:' || split_part(runs.execution_token, '.', 1)
        WHERE runs.id = $1`,
      [runId],
    );
    return Number(rows[0]?.owner.split(' ')[0]);
  } finally {
    await client.end();
  }
}

/** Starts all of it. */
export async function startTeamNodes(): Promise<TeamNodes> {
  const folder = scratchFolder();
  const postgres = await startPostgresServer();
  const [platformDb, dashboardDb] = [
    await postgres.createDatabase(),
    await postgres.createDatabase(),
  ];
  const [collector, models, tools] = await Promise.all([
    startCollector(),
    startModelServer(),
    startMcpHttpServer(),
  ]);
  const port = await freePort();
  const callback = `http://127.0.0.1:${port}/api/callback`;
  const claims = { name: 'Ada', roles: ['desk'], email: 'ada@example.com', email_verified: true };
  const people = [{ id: PERSON, claims }];
  const provider = await startIdentityProvider(callback, people, 'client_secret_post', 'windows');
  const node = (name: string, role: 'api' | 'worker'): Promise<Alone> =>
    serveAlone(path.join(folder.path, name), ['service', 'serve', '--role', role], {
      env: {
        SERV_DATABASE_URL: platformDb,
        SERV_API_KEYS: Object.entries(KEYS)
          .map(([caller, key]) => `${caller}:${key}:admin`)
          .join(';'),
        ...{ SERV_WORKER_CONCURRENCY: '6', SERV_OTEL_ENABLED: 'true', OTEL_SERVICE_NAME: name },
        ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
        ...{ OPENAI_BASE_URL: models.baseUrl('openai'), OPENAI_API_KEY: 'k' },
      },
    });
  const api = await node('api', 'api');
  const workers = await Promise.all([node('worker-1', 'worker'), node('worker-2', 'worker')]);
  const dashboard = await serveAlone(
    path.join(folder.path, 'dashboard'),
    ['dashboard', 'serve', '--platform-url', api.url],
    {
      port,
      env: {
        ...dashboardEnv(provider.issuer, `http://127.0.0.1:${port}`),
        DASH_DATABASE_URL: dashboardDb,
        DASH_OIDC_REDIRECT_URL: callback,
        DASH_OIDC_TOKEN_AUDIENCE: TEAM_RESOURCE,
        PLATFORM_API_KEY: KEYS.dashboard,
      },
    },
  );
  const authority = makeAuthority();
  const passed = (base: string, before: Parameters<typeof passingOn>[1]): Promise<Peer> =>
    startPeer(authority.issue(), passingOn(base, before), 0, 'itself');
  const fronts = await Promise.all([
    // A platform knows keys: what is before it checks the token and asks with one.
    passed(api.url, async ({ headers }) => {
      const isKnown = await isTokenOf(provider, headers.authorization);
      headers.authorization = `Bearer ${KEYS.window}`;
      return isKnown;
    }),
    // The dashboard checks tokens itself; what is before it speaks TLS and nothing else.
    passed(dashboard.url, () => true),
  ]);
  const [platformFront, dashboardFront] = fronts;
  return {
    ...{ api, workers, provider, collector, models, tools, authority },
    front: { platform: platformFront.url, dashboard: dashboardFront.url },
    async ask(where, body) {
      const answer = await fetch(`${api.url}${where}`, {
        headers: { authorization: `Bearer ${KEYS.team}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`);
      return await answer.json();
    },
    async workerOf(runId) {
      const pid = await holderOf(platformDb, runId);
      const found = workers.find((worker) => worker.pid === pid);
      if (found === undefined) throw new Error(`no worker holds ${runId} (${pid})`);
      return found;
    },
    async stop() {
      await Promise.all(fronts.map((front) => front.close()));
      await dashboard.stop();
      await Promise.all([api, ...workers].map((each) => each.stop()));
      await Promise.all([provider.close(), collector.stop(), models.stop(), tools.stop()]);
      await postgres.stop();
      authority.close();
      folder.remove();
    },
  };
}
