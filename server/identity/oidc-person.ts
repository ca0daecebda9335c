import type { Admission } from './oidc-provider-file.ts';

/** Who signed in, as the provider vouches for. */
export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly displayName: string;
  /** Only one that the provider has verified. */
  readonly email: string | null;
  readonly hostedDomain: string | null;
  readonly groups: readonly string[];
}

function domainOf(email: string | null): string | undefined {
  return email?.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

function has(list: readonly string[], value: string | null | undefined): boolean {
  return value != null && list.some((one) => one.toLowerCase() === value.toLowerCase());
}

/** Whether an allowlist lets a person in; looked at for every sign-in. */
export function isAdmitted(person: OidcPerson, admission: Admission): boolean {
  return (
    admission.subjects.includes(person.subject) ||
    has(admission.hosted_domains, person.hostedDomain) ||
    has(admission.email_domains, domainOf(person.email)) ||
    person.groups.some((group) => admission.groups.includes(group))
  );
}
