import { z } from 'zod';

/** A field whose text is never shown, logged or written beside the store of secrets. */
const secret = z.string().min(1).meta({ secret: true });
const text = z.string().min(1);
const optionalText = z.string().default('');

/** What a step may be bound to where its source names credentials: the kinds, each with its fields. */
export const Credential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('header'), name: text, value: secret }),
  z.object({ kind: z.literal('query'), name: text, value: secret }),
  z.object({ kind: z.literal('basic'), user: text, password: secret }),
  z.object({ kind: z.literal('bearer'), token: secret }),
  z.object({
    kind: z.literal('oauth2_client'),
    token_url: z.url(),
    client_id: text,
    client_secret: secret,
    scope: optionalText,
    /** Where the token server wants to be told who asks. */
    sent_in: z.enum(['header', 'body']).default('header'),
  }),
  z.object({
    kind: z.literal('oauth2_refresh'),
    token_url: z.url(),
    client_id: text,
    client_secret: z.string().default('').meta({ secret: true }),
    refresh_token: secret,
    scope: optionalText,
    sent_in: z.enum(['header', 'body']).default('header'),
  }),
]);

export type Credential = z.infer<typeof Credential>;
export type CredentialKind = Credential['kind'];

/** Every kind, in the order in which a page offers them. */
export const CREDENTIAL_KINDS: readonly CredentialKind[] = Credential.options.map(
  ({ shape }) => shape.kind.value,
);

const KINDS_OF_SOURCE: Readonly<Record<string, readonly CredentialKind[]>> = {
  httpHeaderAuth: ['header'],
  httpQueryAuth: ['query'],
  httpBasicAuth: ['basic'],
  httpBearerAuth: ['bearer'],
  oAuth2Api: ['oauth2_client', 'oauth2_refresh', 'bearer'],
};

/** The kinds that a credential type of n8n may be bound to: a vendor's own type to any of them. */
export function credentialKindsOf(type: string): readonly CredentialKind[] {
  return KINDS_OF_SOURCE[type] ?? CREDENTIAL_KINDS;
}

/** The texts of a credential that must not be told to anybody. */
export function secretsOf(credential: Credential): readonly string[] {
  const option = Credential.options.find(({ shape }) => shape.kind.value === credential.kind);
  return Object.entries(option?.shape ?? {}).flatMap(([name, field]) => {
    const value: unknown = Reflect.get(credential, name);
    const isSecret = field.meta()?.['secret'] === true;
    return isSecret && typeof value === 'string' && value !== '' ? [value] : [];
  });
}
