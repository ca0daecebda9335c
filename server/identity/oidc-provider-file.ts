import { z } from 'zod';
import { isLoopbackHost } from '../http/door-guard.ts';

/** Parameters that the protocol itself puts into an address. */
const OWN = [
  ...['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'nonce', 'code'],
  ...['code_challenge', 'code_challenge_method', 'response_mode', 'grant_type', 'code_verifier'],
];

/** Why a text is no address that a sign-in may use; undefined for one that is. */
export function addressFault(text: string, mayHaveQuery: boolean): string | undefined {
  if (/\s/.test(text) || !URL.canParse(text)) return 'is no address';
  const url = new URL(text);
  const isPlain = url.protocol === 'http:';
  if (url.protocol !== 'https:' && !isPlain) return 'is no https address';
  if (isPlain && !isLoopbackHost(url.hostname)) return 'needs https, except on this computer';
  if (url.username !== '' || url.password !== '') return 'holds a user name or a password';
  if (text.includes('#')) return 'has a fragment';
  if (text.includes('?') && !mayHaveQuery) return 'has a query';
  const own = OWN.find((name) => url.searchParams.has(name));
  return own === undefined ? undefined : `sets "${own}", which the sign-in sets itself`;
}

function address(mayHaveQuery: boolean) {
  return z.string().superRefine((text, context) => {
    const fault = addressFault(text, mayHaveQuery);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });
}

const names = z.array(z.string().min(1)).default([]);

const Admission = z
  .strictObject({
    mode: z.enum(['allowlist', 'provision']),
    hosted_domains: names,
    email_domains: names,
    groups: names,
    subjects: names,
  })
  .superRefine(({ mode, ...rules }, context) => {
    const count = Object.values(rules).flat().length;
    if (mode === 'allowlist' && count === 0) {
      context.addIssue({ code: 'custom', message: 'an allowlist needs at least one rule' });
    }
    if (mode === 'provision' && count > 0) {
      context.addIssue({ code: 'custom', message: 'with "provision" there are no rules' });
    }
  });

/** Who gets in (studio.md 4.3). */
export type Admission = z.output<typeof Admission>;

function callbackOf(origin: string, path: string): string {
  return `${origin.replace(/\/$/, '')}${path}`;
}

/** A file that names an identity provider, for a service whose callback is at `path`. */
export function oidcProviderFile(path: string) {
  return z
    .strictObject({
      provider_id: z.string().min(1),
      client_id: z.string().min(1),
      client_secret: z.string().min(1),
      callback_origin: address(false),
      issuer: address(false),
      authorization_endpoint: address(true),
      token_endpoint: address(true),
      jwks_uri: address(true),
      /** The service's name in access tokens; without it none are taken. */
      token_audience: z.string().min(1).optional(),
      redirect_allowlist: z.array(address(false)).min(1),
      admission: Admission,
      bootstrap: z
        .strictObject({
          owner: z.strictObject({
            kind: z.literal('oidc'),
            issuer: z.string().min(1),
            subject: z.string().min(1),
          }),
        })
        .optional(),
    })
    .transform((file) => ({ ...file, redirect_uri: callbackOf(file.callback_origin, path) }))
    .refine((file) => file.redirect_allowlist.includes(file.redirect_uri), {
      message: `redirect_allowlist does not hold the callback ("…${path}")`,
    });
}

/** An identity provider as its file names it. */
export type OidcProvider = z.output<ReturnType<typeof oidcProviderFile>>;
