import {
  getHealthz,
  getLivez,
  getReadyz,
  type Health,
  PLATFORM_CONTRACT_VERSION,
  PLATFORM_SERVICE_NAME,
} from '../../contract/platform/probes.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import { readiness } from './readiness.ts';

/** Health, liveness, readiness and metrics; no key, any query. */
export function registerProbeRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  const health = (metadata: JsonObject): Health => ({
    ok: true,
    service: PLATFORM_SERVICE_NAME,
    version: PLATFORM_CONTRACT_VERSION,
    metadata: { ...metadata, app_version: deps.appVersion },
  });
  app.implement(getHealthz, () => health({ status: 'healthy' }));
  app.implement(getLivez, () => health({ status: 'alive' }));
  app.implement(getReadyz, async () => {
    const { ready, metadata } = await readiness(deps);
    if (!ready) throw refuse('not_ready', { details: { metadata } });
    return health(metadata);
  });
  if (!deps.config.metricsEnabled) return;
  app.serve('/metrics', async (_request, reply) => {
    const { queued, running } = deps.queue.counts();
    const workers = deps.config.workerConcurrency;
    const queues = deps.queue.standings();
    const sync = deps.syncPlaces.counts();
    const text = await deps.metrics.expose({ queued, running, workers, queues, sync });
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
}
