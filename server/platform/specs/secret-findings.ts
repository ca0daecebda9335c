import { findEndpoint, isEndpoint } from '../../runtime/models/endpoint.ts';
import { isClosed, type SecretAnswer, type Secrets, secretAdvice } from '../../runtime/secrets.ts';
import { credentialNeeds } from '../../spec/reports/credential-needs.ts';
import {
  agentsOf,
  keyReference,
  type SecretReference,
  serverReferences,
} from '../../spec/reports/secret-references.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';

interface Answered extends SecretReference {
  readonly answer: SecretAnswer;
}

function modelAnswers(spec: Spec, secrets: Secrets): Answered[] {
  return agentsOf(spec).flatMap(([path, { model }]): Answered[] => {
    if (model === null) return [];
    const found = findEndpoint(model.provider, model.extra, secrets);
    const reference = keyReference(model.extra);
    if (reference === undefined) {
      // The offline runtime must not answer for a provider whose stored key is locked.
      const isShut = isEndpoint(found) && isClosed(found.secret);
      return isShut ? [{ name: found.keyName, path: `${path}.model`, answer: found.secret }] : [];
    }
    const { member, name } = reference;
    const answer = isEndpoint(found) ? found.secret : secrets.named(name);
    return [{ name, path: `${path}.model.extra.${member}`, answer }];
  });
}

/**
 * E_SECRET_REFUSED for every place that names a secret which is there but not given to this spec
 * (decisions 46). One that is nowhere is no finding here: what to do then depends on the place. With
 * `replayed` models and MCP servers are answered from a recording, which asks for no secret.
 */
export function secretFindings(
  spec: Spec,
  secrets: Secrets,
  { replayed = false }: { readonly replayed?: boolean } = {},
): Diagnostic[] {
  const named = serverReferences(spec).map(
    (reference): Answered => ({ ...reference, answer: secrets.named(reference.name) }),
  );
  const bound = credentialNeeds(spec).flatMap(({ secret, steps }) =>
    steps.map(({ path }): Answered => ({ name: secret, path, answer: secrets.named(secret) })),
  );
  const traffic = replayed ? [] : [...modelAnswers(spec, secrets), ...named];
  return [...traffic, ...bound]
    .filter(({ answer }) => answer.kind === 'refused')
    .map(({ name, path, answer }) => ({
      code: 'E_SECRET_REFUSED',
      severity: 'error',
      message: secretAdvice(name, answer),
      path,
      suggestion: isClosed(answer)
        ? null
        : 'Name a secret that is stored under Settings or listed in SERV_SPEC_SECRETS, or trust the folder.',
    }));
}
