import { z } from 'zod';
import { openApiDocument } from '../contract/openapi.ts';
import { PLATFORM_CONTRACT_VERSION } from '../contract/platform/probes.ts';
import type { Route } from '../contract/route.ts';
import type { HttpApp } from '../http/http-app.ts';
import { registerAudit } from './audit/routes.ts';
import type { PlatformDeps } from './deps.ts';
import { createPlatformApp } from './http/platform-app.ts';
import { registerHumanTasks } from './human-tasks/routes.ts';
import { registerPolicies } from './policies/routes.ts';
import type { Principal } from './principal.ts';
import { registerProbes } from './probes/routes.ts';
import { registerRunReads } from './run-reads/routes.ts';
import { registerRuns } from './runs/routes.ts';
import { registerSecurity } from './security/routes.ts';
import { registerSkills } from './skills/routes.ts';
import { registerSpecs } from './specs/routes.ts';

const envelope = z.object({ detail: z.looseObject({ error: z.string(), message: z.string() }) });

/** The app with every operation of the Run Platform, under `/v1` and at the root. */
export function createPlatform(deps: PlatformDeps): HttpApp<Principal> {
  const app = createPlatformApp(deps);
  const routes: Route[] = [];
  const recording: HttpApp<Principal> = {
    ...app,
    implement(route, handler) {
      routes.push(route);
      app.implement(route, handler);
    },
  };
  registerProbes(recording, deps);
  registerRuns(recording, deps);
  registerRunReads(recording, deps);
  registerSpecs(recording, deps);
  registerSkills(recording, deps);
  registerHumanTasks(recording, deps);
  registerAudit(recording, deps);
  registerSecurity(recording, deps);
  registerPolicies(recording, deps);
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
