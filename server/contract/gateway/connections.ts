import { z } from 'zod';
import { gatewayRoute } from '../route.ts';

/** The header by which a window names the connection that a request is for; none = this computer. */
export const CONNECTION_HEADER = 'x-specwright-connection';

/** A key over plain HTTP could be read on its way, so only this computer is reached without TLS. */
const SAFE = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$))/i;
/** Scheme, host with port, path; no user name, password, query or fragment. */
const BARE = /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/i;

/** The address of a service of another computer. */
const remoteAddress = z
  .url('An address begins with https:// and names a host.')
  .max(2048)
  .regex(SAFE, 'An address begins with https://; http:// is for this computer alone (localhost).')
  .regex(BARE, 'An address has no user name, password, query or fragment.');

const proxyAddress = z
  .url({ protocol: /^https?$/, error: 'A proxy’s address begins with http:// or https://.' })
  .max(2048)
  .regex(BARE, 'User name and password of a proxy have fields of their own.');

const certificates = z
  .string()
  .trim()
  .max(65_536)
  .regex(/-----BEGIN CERTIFICATE-----/, 'A certificate is PEM text: -----BEGIN CERTIFICATE-----.');

/** Colours that a connection can have. */
export const connectionColors = z.enum(['blue', 'teal', 'green', 'amber', 'violet', 'red']);

const remoteAuth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('key') }),
  z.strictObject({
    kind: z.literal('oidc'),
    issuer: remoteAddress,
    client_id: z.string().trim().min(1).max(255),
    scope: z.string().trim().min(1).max(1000).default('openid profile offline_access'),
    /** The API that the token is for, where the provider asks for it (RFC 8707). */
    resource: z.string().trim().max(2048).nullable().default(null),
  }),
]);

const remoteProxy = z.discriminatedUnion('kind', [
  /** What the system, or the environment of the program, says. */
  z.strictObject({ kind: z.literal('system') }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('manual'),
    url: proxyAddress,
    user: z.string().max(255).nullable().default(null),
  }),
]);

const settings = {
  name: z.string().trim().min(1).max(60),
  color: connectionColors,
  platform: remoteAddress.nullable(),
  dashboard: remoteAddress.nullable(),
  studio: remoteAddress.nullable(),
  /** Whose studio keeps the drafts of a window on this connection. */
  drafts: z.enum(['here', 'there']).default('here'),
  auth: remoteAuth,
  /** PEM; these vouch for servers beside the authorities that the system knows. */
  authorities: certificates.nullable().default(null),
  /** PEM; its key is a stored secret. */
  client_certificate: certificates.nullable().default(null),
  proxy: remoteProxy.default({ kind: 'system' }),
};

/** The settings of a connection without its secrets. */
export const remoteSettings = z.strictObject(settings);
export type RemoteSettings = z.output<typeof remoteSettings>;

const identity = z.strictObject({
  /** Scheme, host and port. */
  origin: z.string(),
  /** SHA-256 of the public key in the server's certificate. */
  key_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  since: z.string(),
});

/** A connection as the file of connections holds it. */
export const storedConnection = remoteSettings.extend({
  id: z.string().regex(/^[a-z0-9]{8,40}$/),
  /** The servers as they were when they answered first. */
  identities: z.array(identity),
});
export type StoredConnection = z.output<typeof storedConnection>;

/** The file of connections. */
export const connectionsFile = z.strictObject({
  version: z.literal(1),
  connections: z.array(storedConnection),
});

const lineOfText = z
  .string()
  .trim()
  .regex(/^[\x20-\x7e]{1,8192}$/, 'A secret is one line of printable characters, 8,192 at most.');

/** One secret: left out stays as it is, null is removed. */
const given = <S extends z.ZodType>(value: S) => value.nullable().optional();

export const connectionBody = z
  .strictObject({
    ...settings,
    key: given(lineOfText),
    client_key: given(z.string().trim().min(1).max(16_384)),
    proxy_password: given(lineOfText),
  })
  .refine(({ platform, dashboard, studio }) => platform ?? dashboard ?? studio, {
    message: 'A connection has the address of at least one service.',
    path: ['platform'],
  })
  .refine(({ drafts, studio }) => drafts === 'here' || studio !== null, {
    message: 'Drafts are kept there only where the connection has a studio.',
    path: ['drafts'],
  });

const signedIn = z.object({
  /** Whoever the provider says signed in. */
  name: z.string(),
  /** When the token ends; null when the provider does not say. */
  until: z.string().nullable(),
  /** The token is made anew without asking. */
  renews: z.boolean(),
});

export const connectionView = z
  .object({
    id: z.string(),
    ...settings,
    identities: z.array(identity),
    stored: z.object({ key: z.boolean(), client_key: z.boolean(), proxy_password: z.boolean() }),
    signed_in: signedIn.nullable(),
  })
  .meta({ id: 'RemoteConnection' });
export type ConnectionView = z.output<typeof connectionView>;

const params = z.object({ id: z.string() });
const CHANGE_ERRORS = [
  ...['request_invalid', 'connection_refused', 'certificate_refused'],
  ...['keychain_locked', 'keychain_absent', 'secrets_locked', 'secrets_busy'],
];

export const listConnections = gatewayRoute.get('listConnections', {
  path: '/connections',
  summary: 'Named connections to services of other computers, without their secrets',
  responses: { 200: z.object({ connections: z.array(connectionView) }) },
  access: null,
});

export const addConnection = gatewayRoute.post('addConnection', {
  path: '/connections',
  summary: 'Add a connection',
  body: connectionBody,
  responses: { 201: connectionView },
  errors: CHANGE_ERRORS,
  access: null,
});

export const changeConnection = gatewayRoute.put('changeConnection', {
  path: '/connections/{id}',
  summary: 'Change a connection; a secret that is left out stays',
  params,
  body: connectionBody,
  responses: { 200: connectionView },
  errors: ['connection_unknown', ...CHANGE_ERRORS],
  access: null,
});

export const removeConnection = gatewayRoute.delete('removeConnection', {
  path: '/connections/{id}',
  summary: 'Remove a connection with its secrets and tokens',
  params,
  responses: { 204: null },
  errors: ['connection_unknown', 'keychain_locked', 'keychain_absent', 'secrets_busy'],
  access: null,
});

export const identityBody = identity.pick({ origin: true, key_sha256: true });

export const confirmIdentity = gatewayRoute.put('confirmIdentity', {
  path: '/connections/{id}/identity',
  summary: 'Accept the key that a server has now as its own',
  params,
  body: identityBody,
  responses: { 200: connectionView },
  errors: ['connection_unknown', 'request_invalid'],
  access: null,
});

const CHECKS = ['reachable', 'identity', 'version', 'who', 'clock', 'offers'] as const;

const checkLine = z.object({
  check: z.enum(CHECKS),
  state: z.enum(['ok', 'attention', 'failed', 'unknown']),
  /** What was found. */
  text: z.string(),
  /** What to do about it; null where there is nothing. */
  to_do: z.string().nullable(),
});
export type CheckLine = z.output<typeof checkLine>;

const serviceReport = z.object({
  service: z.enum(['platform', 'dashboard', 'studio']),
  address: z.string(),
  origin: z.string(),
  lines: z.array(checkLine),
  /** SHA-256 of the key that the server showed; null without a handshake. */
  shown: z.string().nullable(),
  /** The one that the connection knows it by. */
  known: z.string().nullable(),
});
export type ServiceReport = z.output<typeof serviceReport>;

export const connectionReport = z
  .object({ services: z.array(serviceReport) })
  .meta({ id: 'ConnectionReport' });
export type ConnectionReport = z.output<typeof connectionReport>;

export const testConnection = gatewayRoute.post('testConnection', {
  path: '/connections/{id}/test',
  summary:
    'Ask each server of a connection whether it answers, what it is, who asks, and its clock',
  params,
  responses: { 200: connectionReport },
  errors: ['connection_unknown', 'keychain_locked', 'keychain_absent', 'secrets_locked'],
  access: null,
});

const signInState = z
  .object({
    state: z.enum(['none', 'waiting', 'done', 'failed']),
    problem: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'RemoteSignIn' });
export type SignInState = z.output<typeof signInState>;

export const beginSignIn = gatewayRoute.post('beginSignIn', {
  path: '/connections/{id}/sign-in',
  summary: 'Begin a sign-in at the identity provider: answers the address for the system’s browser',
  params,
  responses: { 201: z.object({ address: z.string() }) },
  errors: ['connection_unknown', 'sign_in_unreachable', 'sign_in_failed', 'sign_in_refused'],
  access: null,
});

export const getSignIn = gatewayRoute.get('getSignIn', {
  path: '/connections/{id}/sign-in',
  summary: 'How the sign-in that was begun last stands',
  params,
  responses: { 200: signInState },
  errors: ['connection_unknown'],
  access: null,
});

export const endSignIn = gatewayRoute.delete('endSignIn', {
  path: '/connections/{id}/sign-in',
  summary: 'Forget the tokens of a connection',
  params,
  responses: { 204: null },
  errors: ['connection_unknown', 'keychain_locked', 'keychain_absent', 'secrets_busy'],
  access: null,
});
