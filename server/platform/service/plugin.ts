import { z } from 'zod';
import { openApiDocument } from '../../contract/openapi.ts';
import { PLATFORM_CONTRACT_VERSION } from '../../contract/platform/probes.ts';
import type { Route } from '../../contract/route.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { registerAuditRoutes } from '../audit/routes.ts';
import { registerBudgetRoutes } from '../budgets/routes.ts';
import type { PlatformDeps } from '../deps.ts';
import { registerEventRoutes } from '../events/routes.ts';
import { createPlatformApp } from '../http/platform-app.ts';
import { registerHumanTaskRoutes } from '../human-tasks/routes.ts';
import { registerPolicyRoutes } from '../policies/routes.ts';
import type { Principal } from '../principal.ts';
import { registerProbeRoutes } from '../probes/routes.ts';
import { registerRunReadRoutes } from '../run-reads/routes.ts';
import { registerRunStreamRoutes } from '../run-stream/routes.ts';
import { registerRunRoutes } from '../runs/routes.ts';
import { registerSecurityRoutes } from '../security/routes.ts';
import type { PlatformNodeRole } from '../service-options.ts';
import { registerSkillRoutes } from '../skills/routes.ts';
import { registerSpecRoutes } from '../specs/routes.ts';
import { registerUsageRoutes } from '../usage/routes.ts';

const envelope = z.object({ detail: z.looseObject({ error: z.string(), message: z.string() }) });

/** The app with every operation of the Run Platform that a role has, under `/v1` and at the root. */
export function createPlatform(
  deps: PlatformDeps,
  role: PlatformNodeRole = 'all',
): HttpApp<Principal> {
  const app = createPlatformApp(deps);
  const routes: Route[] = [];
  const recording: HttpApp<Principal> = {
    ...app,
    implement(route, handler) {
      routes.push(route);
      app.implement(route, handler);
    },
  };
  registerProbeRoutes(recording, deps);
  // Who executes only has nothing else to ask.
  if (role === 'worker') return app;
  registerRunRoutes(recording, deps);
  registerRunReadRoutes(recording, deps);
  registerSpecRoutes(recording, deps);
  registerSkillRoutes(recording, deps);
  registerHumanTaskRoutes(recording, deps);
  registerAuditRoutes(recording, deps);
  registerSecurityRoutes(recording, deps);
  registerPolicyRoutes(recording, deps);
  registerEventRoutes(recording, deps);
  registerRunStreamRoutes(recording, deps);
  registerUsageRoutes(recording, deps);
  registerBudgetRoutes(recording, deps);
  const info = {
    title: 'Run Platform',
    version: PLATFORM_CONTRACT_VERSION,
    prefixes: ['/v1', ''],
    envelope,
  };
  let document: Buffer | undefined;
  app.serve('/openapi.json', (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(openApiDocument(routes, info)));
    return reply.header('content-type', 'application/json').send(document);
  });
  return app;
}
