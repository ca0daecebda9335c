import { isUsualKey, providerKeyVariable } from '../../runtime/models/provider-names.ts';
import { namedSecrets } from '../../spec/reports/bundle-needs.ts';
import { credentialNeeds } from '../../spec/reports/credential-needs.ts';
import { agentsOf, keyReference } from '../../spec/reports/secret-references.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';

/** A secret that a spec asks for; never its value. */
export interface SpecCredential {
  /** The name that it is looked up under. */
  readonly env_var: string;
  /** The provider whose usual key it is; null for a secret that the spec names itself. */
  readonly provider: string | null;
  /** What the source of an imported spec calls it; null for all others. */
  readonly title: string | null;
}

/** Providers whose usual key a spec is run with: another address gets the key that the spec names. */
function usualKeys(spec: Spec): SpecCredential[] {
  const providers = agentsOf(spec).flatMap(([, { model }]) => {
    if (model === null || model.provider === null) return [];
    const isElsewhere = model.extra['base_url'] !== undefined;
    return isElsewhere || keyReference(model.extra) !== undefined ? [] : [model.provider];
  });
  return [...new Set(providers)]
    .map((provider) => ({ env_var: providerKeyVariable(provider), provider, title: null }))
    .filter(({ env_var }) => isUsualKey(env_var));
}

/** Every secret that a spec asks for, each name once. */
export function specCredentials(spec: Spec): SpecCredential[] {
  const titles = new Map(
    credentialNeeds(spec).map(({ secret, name, type }) => [
      secret,
      name === '' ? type : `${name} (${type})`,
    ]),
  );
  const named = namedSecrets(spec).map((env_var) => ({
    env_var,
    provider: null,
    title: titles.get(env_var) ?? null,
  }));
  const byName = new Map([...named, ...usualKeys(spec)].map((each) => [each.env_var, each]));
  return [...byName.values()];
}
