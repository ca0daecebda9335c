import { specRoutes } from '../../contract/platform/specs.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import {
  compileRequest,
  explainRequest,
  graphRequest,
  reportRequest,
  validateRequest,
} from './check-spec.ts';
import type { SpecSource } from './load-documents.ts';

type Input = SpecSource & { readonly environment: string | null };

function sourceFacts(input: Input): JsonObject {
  return { spec_path: input.spec_path, inline_spec: input.spec !== null };
}

function layerFacts(input: Input, valid: boolean): JsonObject {
  return {
    ...sourceFacts(input),
    environment: input.environment,
    overlays: [...input.overlays],
    valid,
  };
}

/** The five operations on specs; each answered one leaves an audit event (contract/platform.md 8). */
export function registerSpecs(app: HttpApp<Principal>, deps: PlatformDeps): void {
  const routes = specRoutes(deps.config.limits);
  const audit = (eventType: string, actor: string, metadata: JsonObject): void =>
    deps.recordAudit({ event_type: eventType, actor, metadata });
  app.implement(routes.validateSpec, async ({ body }, { principal }) => {
    const result = await validateRequest(deps, body);
    audit('spec.validated', principal.name, layerFacts(body, result.valid));
    return result;
  });
  app.implement(routes.compileSpec, async ({ body }, { principal }) => {
    const result = await compileRequest(deps, body);
    audit('spec.compiled', principal.name, layerFacts(body, result.ok));
    return result;
  });
  app.implement(routes.explainSpec, async ({ body }, { principal }) => {
    const result = await explainRequest(deps, body);
    audit('spec.explained', principal.name, sourceFacts(body));
    return result;
  });
  app.implement(routes.graphSpec, async ({ body }, { principal }) => {
    const graph = await graphRequest(deps, body);
    audit('spec.graph', principal.name, {
      ...sourceFacts(body),
      workflow_kind: graph.workflow_kind,
    });
    return graph;
  });
  app.implement(routes.reportSpecPolicy, async ({ body }, { principal }) => {
    const report = await reportRequest(deps, body);
    audit('spec.policy_reported', principal.name, layerFacts(body, report.valid));
    return report;
  });
}
