import type { FastifyInstance } from 'fastify';
import type { TellDashboard } from '../contract/dashboard/studio-acts.ts';
import type { Served } from '../contract/served.ts';
import { knownNames } from '../http/door-guard.ts';
import { createHttpApp, type HttpApp } from '../http/http-app.ts';
import { tellSettings } from '../http/tell-settings.ts';
import { hasWindow, serveWindow } from '../http/window-files.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { RunningService } from '../kernel/running-service.ts';
import type { OnStoreStep } from '../store/store-step.ts';
import { createAuditLog } from './audit/audit-log.ts';
import type { DashboardConfig } from './config.ts';
import { type DashboardStore, openDashboardStore } from './dashboard-store.ts';
import type { DashboardDeps, Operator } from './deps.ts';
import { dashboardProfile } from './http-profile.ts';
import { keepStudioAct } from './launch/studio-acts.ts';
import { createMetrics } from './metrics/metrics.ts';
import { registerMetrics } from './metrics/route.ts';
import { createPlatformConnections } from './platform-connections.ts';
import { registerDashboard } from './plugin.ts';
import { refuse } from './refusals.ts';
import { setResponseHeaders } from './request-guard.ts';
import { startPurge } from './session/purge.ts';
import { OperatorSignIn } from './session/sign-in.ts';
import { refuseUnsafeStart } from './start-rules.ts';
import { createStreamSlots } from './trace/stream-slots.ts';
import { createTraceLogs } from './trace/trace-logs.ts';

export interface DashboardOptions {
  readonly config: DashboardConfig;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** A file or `:memory:`; the configuration may name an external database instead. */
  readonly databaseFile: string;
  readonly migrationsDir: string;
  /** Fills the default connection; what the configuration names wins over neither being given. */
  readonly platform: { readonly url?: string; readonly apiKey?: string };
  /** When there are any, every operation that needs an operator demands one of them. */
  readonly requireKeys?: readonly string[];
  /** Names that the listener answers to beside its own and those of DASH_ALLOWED_HOSTS. */
  readonly allowedHosts?: readonly string[];
  /** The built UI, unless the configuration names another folder. */
  readonly spaDir?: string;
  readonly clock: Clock;
  /** Is told how far the store is brought up to date. */
  readonly onStoreStep?: OnStoreStep | undefined;
  readonly ids: Ids;
  readonly log: Log;
  readonly version?: string;
  /** Tests: an answer outside its route's schema is an internal error. */
  readonly checkResponses?: boolean;
}

/** A dashboard that is built but does not listen yet. */
export interface DashboardApp {
  readonly app: HttpApp<Operator>;
  readonly deps: DashboardDeps;
  /** Ends open streams, closes listener and store. */
  close(): Promise<void>;
}

function uiFolder({ config, spaDir }: DashboardOptions): string | undefined {
  return config.spaDir ?? spaDir;
}

/** What the window is told of this address. */
function servedBy({ config, requireKeys = [] }: DashboardOptions): Served {
  const { signIn } = config;
  if (signIn !== undefined) {
    return { service: 'dashboard', sign_in: 'oidc', provider: new URL(signIn.issuer).hostname };
  }
  const sign_in = requireKeys.length > 0 ? 'key' : 'none';
  return { service: 'dashboard', sign_in, provider: null };
}

function registerUi(fastify: FastifyInstance, options: DashboardOptions): void {
  const folder = uiFolder(options);
  if (!hasWindow(folder)) return;
  const refuseMethod = (): never => {
    throw refuse('method_not_allowed');
  };
  serveWindow(fastify, { folder, served: servedBy(options), refuseMethod });
}

/**
 * Builds the dashboard over its store, which it closes in the end.
 * @throws StartRefusal for a configuration that would let anybody in.
 */
export function buildDashboard(options: DashboardOptions, store: DashboardStore): DashboardApp {
  const { config, clock, ids, log } = options;
  refuseUnsafeStart(config, options.host);
  tellSettings(log, config);
  const { db } = store;
  const version = options.version ?? '0.1.0';
  const metrics = createMetrics();
  const stopping = new AbortController();
  const deps: DashboardDeps = {
    db,
    version,
    store,
    config,
    platforms: createPlatformConnections({
      defaultConnection: {
        ...config.defaultConnection,
        url: options.platform.url ?? config.defaultConnection.url,
        apiKey: options.platform.apiKey ?? config.defaultConnection.apiKey,
      },
      defaultProfile: config.defaultProfile,
      profiles: config.profiles,
      ids,
      userAgent: `specwright-dashboard/${version}`,
      observe: (call) => metrics.platformCall(call),
    }),
    audit: createAuditLog({ db, clock, ids, log, onFailure: () => metrics.auditFailure() }),
    streams: createStreamSlots(config.sseMaxStreams),
    traceLogs: createTraceLogs(),
    signIn: config.signIn && new OperatorSignIn({ db, clock, log }, config, config.signIn),
    servesWindow: hasWindow(uiFolder(options)),
    stopping: stopping.signal,
    clock,
    ids,
    log,
  };
  const app = createHttpApp<Operator>(
    dashboardProfile(deps, metrics, {
      keys: config.authMode === 'static' ? (options.requireKeys ?? []) : [],
      door: {
        knows: knownNames(options.host, [...config.allowedHosts, ...(options.allowedHosts ?? [])]),
        origins: config.corsOrigins,
        refererFor: 'changes',
      },
      checkResponses: options.checkResponses ?? false,
    }),
  );
  app.fastify.addHook('onSend', async (request, reply, payload) => {
    setResponseHeaders(request, reply);
    return payload;
  });
  registerDashboard(app, deps);
  const endPurge = startPurge(deps, config.signIn?.purgeSeconds ?? 0);
  registerMetrics(app.fastify, deps, metrics);
  registerUi(app.fastify, options);
  return {
    app,
    deps,
    close: async () => {
      stopping.abort();
      endPurge();
      await app.close();
      await store.close();
    },
  };
}

/**
 * Starts the dashboard. @throws StartRefusal for a configuration that would let anybody in, StoreError
 * for the store; a listener that cannot open closes the store.
 */
export async function startDashboard(
  options: DashboardOptions,
): Promise<RunningService & { readonly tell: TellDashboard }> {
  // Before a store is made that nobody may serve.
  refuseUnsafeStart(options.config, options.host);
  const store = await openDashboardStore({ ...options, external: options.config.external });
  const dashboard = buildDashboard(options, store);
  try {
    const { url, port } = await dashboard.app.listen(options.host, options.port);
    options.log.info({ url }, 'dashboard listens');
    const tell: TellDashboard = (act) => keepStudioAct(dashboard.deps, act);
    return { url, port, tell, stop: () => dashboard.close() };
  } catch (error) {
    await dashboard.close();
    throw error;
  }
}
