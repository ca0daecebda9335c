import type { FastifyInstance } from 'fastify';
import { sameSecret } from '../../http/same-secret.ts';
import type { DashboardDeps } from '../deps.ts';
import { refuse } from '../refusals.ts';
import type { DashboardMetrics, Gauge } from './metrics.ts';
import { readStoreFacts } from './store-facts.ts';

const MIN_TOKEN_CHARS = 32;

/** The credential of an `Authorization: Bearer` header, empty when there is none. */
export function bearerOf(header: string | undefined): string {
  return /^Bearer\s+(\S.*)$/i.exec(header ?? '')?.[1]?.trim() ?? '';
}

function gauge(name: string, help: string, value: number, labels: Record<string, string> = {}) {
  return { name, help, values: [{ labels, value }] };
}

async function storeGauges(deps: DashboardDeps): Promise<Gauge[]> {
  const { bytes, rows, sessions_active } = await readStoreFacts(deps);
  return [
    gauge('dash_sessions_active', 'Sessions that have not expired.', sessions_active),
    {
      name: 'dash_store_rows',
      help: 'Rows of the growing tables.',
      values: Object.entries(rows).map(([table, value]) => ({ labels: { table }, value })),
    },
    ...(bytes === null
      ? []
      : [gauge('dash_store_state_bytes', 'Size of the store with its sidecar files.', bytes)]),
  ];
}

/** Gauges of the store; a store that fails keeps the last ones and never fails the scrape. */
function gaugesOf(deps: DashboardDeps): () => Promise<Gauge[]> {
  let last: Gauge[] = [];
  return async () => {
    let reachable = 1;
    try {
      last = await storeGauges(deps);
    } catch (error) {
      reachable = 0;
      deps.log.warn({ err: error }, 'the store did not answer a scrape');
    }
    return [
      gauge('dash_build_info', 'Version of this build.', 1, { version: deps.version }),
      gauge('dash_store_reachable', 'Whether the store answers.', reachable),
      gauge('dash_sse_active_streams', 'Open trace streams.', deps.streams.active()),
      ...last,
    ];
  };
}

/** Serves /metrics when a long enough token is configured; otherwise the path does not exist. */
export function registerMetrics(
  fastify: FastifyInstance,
  deps: DashboardDeps,
  metrics: DashboardMetrics,
): void {
  const token = deps.config.metricsToken;
  if (token !== undefined && token.length < MIN_TOKEN_CHARS) {
    deps.log.warn({}, 'DASH_METRICS_TOKEN is shorter than 32 characters; /metrics stays off');
  }
  const gauges = gaugesOf(deps);
  fastify.get('/metrics', async (request, reply) => {
    if (token === undefined || token.length < MIN_TOKEN_CHARS) throw refuse('not_found');
    if (!sameSecret(bearerOf(request.headers.authorization), token)) {
      void reply.header('www-authenticate', 'Bearer');
      throw refuse('unauthorized', { message: 'A metrics token is required.' });
    }
    return reply
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await metrics.text(await gauges()));
  });
}
