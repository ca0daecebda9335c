import type { Secrets } from '../../runtime/secrets.ts';
import { credentialNeeds } from '../../spec/reports/credential-needs.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';

const MOST_NAMED = 3;

function stepsInWords(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).map((name) => `'${name}'`);
  const more = names.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`;
}

/** W_CREDENTIAL_UNBOUND at the first step of every credential that is bound to no secret. */
export function credentialFindings(spec: Spec, secrets: Secrets): Diagnostic[] {
  return credentialNeeds(spec).flatMap(({ type, name, secret, steps }): Diagnostic[] => {
    if (secrets.named(secret).kind !== 'missing') return [];
    const credential = name === '' ? `a credential of the type ${type}` : `'${name}' (${type})`;
    return [
      {
        code: 'W_CREDENTIAL_UNBOUND',
        severity: 'warning',
        message: `Nothing is bound to ${credential}, which ${stepsInWords(steps.map((step) => step.name))} ${steps.length === 1 ? 'needs' : 'need'}.`,
        path: steps[0]?.path ?? null,
        suggestion: `Bind it under Credentials, or set ${secret} and list it in SERV_SPEC_SECRETS.`,
      },
    ];
  });
}
