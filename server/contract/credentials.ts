import { z } from 'zod';
import { sha256Hex } from '../kernel/sha256.ts';

/** A field whose text is never shown, logged or written beside the store of secrets. */
const secret = z.string().min(1).meta({ secret: true });
const text = z.string().min(1);
const optionalText = z.string().default('');
/** Hosts that it may be sent to, with those below them and commas between; absent = to every one. */
const hosts = z
  .string()
  .regex(/^[a-zA-Z0-9.\-:[\], ]*$/)
  .optional();

const port = z.string().regex(/^\d{1,5}$/);
/** Begins every address of a service whose customers have servers of their own; absent = its usual one. */
const server = z.url({ protocol: /^https?$/ }).optional();

const GOOGLE_SCOPES = ['calendar', 'documents', 'drive', 'spreadsheets']
  .map((name) => `https://www.googleapis.com/auth/${name}`)
  .join(' ');

/** What a step may be bound to where its source names credentials: the kinds, each with its fields. */
export const Credential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('header'), name: text, value: secret, server, hosts }),
  z.object({ kind: z.literal('query'), name: text, value: secret, server, hosts }),
  z.object({ kind: z.literal('basic'), user: text, password: secret, server, hosts }),
  z.object({ kind: z.literal('bearer'), token: secret, server, hosts }),
  z.object({
    kind: z.literal('oauth2_client'),
    token_url: z.url(),
    client_id: text,
    client_secret: secret,
    scope: optionalText,
    /** Where the token server wants to be told who asks. */
    sent_in: z.enum(['header', 'body']).default('header'),
    server,
    hosts,
  }),
  z.object({
    kind: z.literal('oauth2_refresh'),
    token_url: z.url(),
    client_id: text,
    client_secret: z.string().default('').meta({ secret: true }),
    refresh_token: secret,
    scope: optionalText,
    sent_in: z.enum(['header', 'body']).default('header'),
    server,
    hosts,
  }),
  z.object({
    kind: z.literal('service_account'),
    email: text,
    private_key: secret,
    scope: z.string().default(GOOGLE_SCOPES),
    /** Whom it acts for, where its owner lets it; empty: itself. */
    subject: optionalText,
    token_url: z.url().default('https://oauth2.googleapis.com/token'),
    server,
    hosts,
  }),
  z.object({
    kind: z.literal('smtp'),
    host: text,
    port,
    /** TLS from the first byte, TLS that the client asks for, or none. */
    secure: z.enum(['tls', 'starttls', 'none']).default('tls'),
    /** Empty: nobody signs in. */
    user: optionalText,
    password: z.string().default('').meta({ secret: true }),
  }),
  z.object({
    kind: z.literal('database'),
    host: text,
    port,
    database: text,
    user: text,
    password: z.string().default('').meta({ secret: true }),
    /** TLS with a certificate that the machine trusts, or none. */
    ssl: z.enum(['require', 'disable']).default('require'),
  }),
]);

export type Credential = z.infer<typeof Credential>;
export type CredentialKind = Credential['kind'];

/** Every kind, in the order in which a page offers them. */
export const CREDENTIAL_KINDS: readonly CredentialKind[] = Credential.options.map(
  ({ shape }) => shape.kind.value,
);

/** Kinds of one vendor, and of what is no request over HTTP. */
const SPECIAL: ReadonlySet<CredentialKind> = new Set(['service_account', 'smtp', 'database']);
const HTTP_KINDS = CREDENTIAL_KINDS.filter((kind) => !SPECIAL.has(kind));
const GOOGLE: readonly CredentialKind[] = ['oauth2_refresh', 'service_account', 'bearer'];

const KINDS_OF_SOURCE: Readonly<Record<string, readonly CredentialKind[]>> = {
  httpHeaderAuth: ['header'],
  httpQueryAuth: ['query'],
  httpBasicAuth: ['basic'],
  httpBearerAuth: ['bearer'],
  difySecret: ['bearer'],
  oAuth2Api: ['oauth2_client', 'oauth2_refresh', 'bearer'],
  gmailOAuth2: GOOGLE,
  googleApi: ['service_account', 'bearer'],
  googleCalendarOAuth2Api: GOOGLE,
  googleDocsOAuth2Api: GOOGLE,
  googleDriveOAuth2Api: GOOGLE,
  googleOAuth2Api: GOOGLE,
  googleSheetsOAuth2Api: GOOGLE,
  smtp: ['smtp'],
  postgres: ['database'],
};

/** The kinds that a credential type of n8n may be bound to: a vendor's own type to any that HTTP carries. */
export function credentialKindsOf(type: string): readonly CredentialKind[] {
  return KINDS_OF_SOURCE[type] ?? HTTP_KINDS;
}

/** A field of a kind, as a form asks for it. */
export interface CredentialField {
  readonly name: string;
  readonly secret: boolean;
  /** It may stay empty. */
  readonly optional: boolean;
  /** The texts among which it is chosen, the usual one first. */
  readonly choices: readonly string[] | undefined;
}

function membersOf(kind: CredentialKind) {
  const option = Credential.options.find(({ shape }) => shape.kind.value === kind);
  return Object.entries(option?.shape ?? {});
}

/** The fields of a kind, in the order in which a form asks for them. */
export function credentialFieldsOf(kind: CredentialKind): readonly CredentialField[] {
  return membersOf(kind).flatMap(([name, field]) => {
    if (field instanceof z.ZodLiteral) return [];
    const optional = field instanceof z.ZodDefault || field instanceof z.ZodOptional;
    const inner = optional ? field.unwrap() : field;
    const choices = inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
    const secret = field.meta()?.['secret'] === true;
    return [{ name, secret, optional, choices }];
  });
}

/** The hosts that a credential may be sent to, with those below them; none = to every one. */
export function hostsOf(credential: Credential): readonly string[] {
  const listed = 'hosts' in credential ? credential.hosts : undefined;
  return (listed ?? '').split(/[\s,]+/).filter((name) => name !== '');
}

/** The texts of a credential that must not be told to anybody. */
export function secretsOf(credential: Credential): readonly string[] {
  return membersOf(credential.kind).flatMap(([name, field]) => {
    const value: unknown = Reflect.get(credential, name);
    const isSecret = field.meta()?.['secret'] === true;
    return isSecret && typeof value === 'string' && value !== '' ? [value] : [];
  });
}

const NAME_LENGTH = 80;
const HASH_LENGTH = 12;

/** The name of the stored secret that a credential of a source is bound to; another one for each. */
export function credentialSecretName(type: string, name: string): string {
  const words = `${type} ${name}`.toUpperCase().split(/[^A-Z0-9]+/);
  const readable = words.filter((word) => word !== '').join('_');
  const own = sha256Hex(JSON.stringify([type, name]))
    .slice(0, HASH_LENGTH)
    .toUpperCase();
  return `CRED_${readable.slice(0, NAME_LENGTH)}_${own}`;
}

/** A credential as it is stored: one line of JSON in ASCII. */
export function credentialText(credential: Credential): string {
  return JSON.stringify(credential).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The credential of a stored text; undefined when the text is none. */
export function readCredential(text: string): Credential | undefined {
  try {
    return Credential.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The credential type of the source that a request's settings ask for; undefined when they ask for none. */
export function credentialTypeOf(step: {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly version: number;
}): string | undefined {
  const { parameters, version } = step;
  const way = String(parameters['authentication'] ?? 'none');
  if (way === 'none' || way === '') return undefined;
  if (way === 'predefinedCredentialType') return String(parameters['nodeCredentialType'] ?? '');
  if (way === 'genericCredentialType') return String(parameters['genericAuthType'] ?? '');
  return version < 2 ? (OLD_TYPES[way] ?? way) : way;
}

const OLD_TYPES: Readonly<Record<string, string>> = {
  basicAuth: 'httpBasicAuth',
  digestAuth: 'httpDigestAuth',
  headerAuth: 'httpHeaderAuth',
  queryAuth: 'httpQueryAuth',
  oAuth1: 'oAuth1Api',
  oAuth2: 'oAuth2Api',
};
