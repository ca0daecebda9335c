import type { BundleNeeds } from '../../contract/bundle.ts';
import type { Spec } from '../schema/spec-types.ts';
import { credentialNeeds } from './credential-needs.ts';
import { agentsOf, keyReference, serverReferences } from './secret-references.ts';

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

/** The code that functions and tools of a spec name, each name once. */
export function implementationsOf(spec: Spec): string[] {
  const named = [...Object.values(spec.components.functions), ...Object.values(spec.tools)];
  return sorted(named.flatMap(({ implementation }) => implementation ?? []));
}

/** The providers of a spec's models. */
export function providersOf(spec: Spec): string[] {
  return sorted(agentsOf(spec).flatMap(([, { model }]) => model?.provider ?? []));
}

/** The providers whose own key a spec needs: those of agents that name no other secret for it. */
export function keyedProviders(spec: Spec): string[] {
  return sorted(
    agentsOf(spec).flatMap(([, { model }]) =>
      model === null || keyReference(model.extra) !== undefined ? [] : (model.provider ?? []),
    ),
  );
}

/** The secrets that a spec names, those of its credentials too. */
export function namedSecrets(spec: Spec): string[] {
  const keys = agentsOf(spec).flatMap(
    ([, { model }]) => (model === null ? undefined : keyReference(model.extra)?.name) ?? [],
  );
  const bound = credentialNeeds(spec).map(({ secret }) => secret);
  return sorted([...keys, ...bound, ...serverReferences(spec).map(({ name }) => name)]);
}

/** What a machine must have to run a spec, as far as the spec itself says it; never a value. */
export function specNeeds(
  spec: Spec,
): Pick<BundleNeeds, 'secrets' | 'credentials' | 'providers' | 'programs'> {
  const credentials = credentialNeeds(spec).map(({ type, name, secret, kinds }) => ({
    type,
    name,
    secret,
    kinds: [...kinds],
  }));
  const bound = new Set(credentials.map(({ secret }) => secret));
  const programs = Object.values(spec.mcp_servers).flatMap(({ transport, command }) =>
    transport === 'stdio' ? (command ?? []) : [],
  );
  return {
    secrets: namedSecrets(spec).filter((name) => !bound.has(name)),
    credentials,
    providers: providersOf(spec),
    programs: sorted(programs),
  };
}
