import { getCredentials } from '../../contract/platform/security.ts';
import { PROJECT_HEADER } from '../../contract/platform/specs.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { tellAudit } from '../audit/tell-audit.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import { credentialInventory } from './credential-inventory.ts';

/** GET /security/credentials. */
export function registerSecurityRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(getCredentials, async ({ query }, { principal, headers }) => {
    const secrets = deps.secrets.of(headers[PROJECT_HEADER] ?? null);
    await secrets.ready();
    const answer = credentialInventory(deps.config.env, secrets, {
      providers: query.providers,
      extras: query.extras,
      includeServiceTokens: query.include_service_tokens,
    });
    const { providers, extra, service_tokens } = answer.inventory;
    const presentIn = (section: typeof providers): string[] =>
      Object.keys(section).filter((name) => section[name]?.present === true);
    await tellAudit(deps, {
      event_type: 'credential.inventory_accessed',
      actor: principal.name,
      metadata: {
        providers_requested: query.providers ?? [],
        extras_requested: query.extras ?? [],
        include_service_references: query.include_service_tokens,
        provider_count: Object.keys(providers).length,
        extra_count: Object.keys(extra).length,
        service_reference_count: Object.keys(service_tokens).length,
        providers_present: presentIn(providers),
        extras_present: presentIn(extra),
        service_references_present: presentIn(service_tokens),
      },
    });
    return answer;
  });
}
