import type { RuntimeBinding } from '../../engine/effect.ts';
import type { Agent } from '../../spec/schema/spec-types.ts';
import { type Secrets, secretAdvice } from '../secrets.ts';
import { type EndpointProblem, findEndpoint, isEndpoint, type ModelEndpoint } from './endpoint.ts';

function offline(model: string | null, warning: string | null): RuntimeBinding {
  return { provider: 'offline', model, runtime_mode: 'bridge', sdk: 'dummy', warning };
}

/** Why the offline runtime stands in for a provider; null when that provider can be called. */
function missing(provider: string, found: ModelEndpoint | EndpointProblem): string | null {
  if (!isEndpoint(found)) {
    if (found.kind === 'bad_address') return null;
    return `Model provider '${provider}' has no address: the offline runtime answers. Give model.extra.base_url.`;
  }
  if (found.keyless || found.key !== undefined) return null;
  const why =
    found.secret.kind === 'refused'
      ? secretAdvice(found.keyName, found.secret)
      : `Set ${found.keyName}.`;
  return `No key or base_url for model provider '${provider}': the offline runtime answers. ${why}`;
}

/**
 * Which client answers an agent (decisions 9): no model, `dummy` or `default` → the offline runtime;
 * a provider with a key or an address → that provider; otherwise the offline runtime with a warning.
 * With `recorded` the answers come from a recording, so that neither key nor address is needed.
 */
export function selectBinding(
  agent: Agent,
  secrets: Secrets,
  options: { readonly recorded?: boolean } = {},
): RuntimeBinding {
  const model = agent.model;
  if (model === null || model.provider === 'dummy' || model.provider === 'default') {
    return offline(model?.name ?? null, null);
  }
  const { provider, name, extra } = model;
  if (options.recorded === true) {
    return { provider, model: name, runtime_mode: 'native', sdk: 'recording', warning: null };
  }
  const warning = missing(provider, findEndpoint(provider, extra, secrets));
  if (warning !== null) return offline(name, warning);
  return { provider, model: name, runtime_mode: 'native', sdk: provider, warning: null };
}
