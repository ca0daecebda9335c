import type { AuditEventType } from '../../contract/platform/audit-types.ts';
import { PROJECT_HEADER, specRoutes } from '../../contract/platform/specs.ts';
import { answerText } from '../../http/answer.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { tellAudit } from '../audit/tell-audit.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import type { SpecSource } from './load-documents.ts';
import type { SpecAnswer } from './spec-work.ts';

type Input = SpecSource & { readonly environment: string | null };

function sourceFacts(input: Input): JsonObject {
  return { spec_path: input.spec_path, inline_spec: input.spec !== null };
}

function layerFacts(input: Input): JsonObject {
  return {
    ...sourceFacts(input),
    environment: input.environment,
    overlays: [...input.overlays],
  };
}

/** The five operations on specs; each answered one leaves an audit event (contract/platform.md 8). */
export function registerSpecRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  const routes = specRoutes(deps.config.limits);
  const { specReader } = deps;
  const answered = async (
    event: {
      readonly event_type: AuditEventType;
      readonly actor: string;
      readonly metadata: JsonObject;
    },
    answer: Promise<SpecAnswer>,
  ): Promise<string> => {
    const { text, facts } = await answer;
    await tellAudit(deps, { ...event, metadata: { ...event.metadata, ...facts } });
    return text;
  };
  app.implement(routes.validateSpec, async ({ body }, { principal: { name: actor } }) => {
    const event = { event_type: 'spec.validated' as const, actor, metadata: layerFacts(body) };
    return answerText(await answered(event, specReader.check('validate', body)));
  });
  app.implement(routes.compileSpec, async ({ body }, { principal, headers }) => {
    const actor = principal.name;
    const project = headers[PROJECT_HEADER] ?? null;
    const event = { event_type: 'spec.compiled' as const, actor, metadata: layerFacts(body) };
    return answerText(await answered(event, specReader.check('compile', { ...body, project })));
  });
  app.implement(routes.explainSpec, async ({ body }, { principal: { name: actor } }) => {
    const event = { event_type: 'spec.explained' as const, actor, metadata: sourceFacts(body) };
    return answerText(await answered(event, specReader.check('explain', body)));
  });
  app.implement(routes.graphSpec, async ({ body }, { principal: { name: actor } }) => {
    const event = { event_type: 'spec.graph' as const, actor, metadata: sourceFacts(body) };
    return answerText(await answered(event, specReader.check('graph', body)));
  });
  app.implement(routes.reportSpecPolicy, async ({ body }, { principal: { name: actor } }) => {
    const event = {
      event_type: 'spec.policy_reported' as const,
      actor,
      metadata: layerFacts(body),
    };
    return answerText(await answered(event, specReader.check('report', body)));
  });
}
