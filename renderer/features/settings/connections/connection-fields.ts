import { t } from '../../../../preload/texts/t.ts';
import type {
  addConnection,
  ConnectionView,
} from '../../../../server/contract/gateway/connections.ts';
import type { ClientInput } from '../../../../server/contract/route.ts';

type Body = NonNullable<ClientInput<typeof addConnection>['body']>;

/** What the form of a connection holds: texts as they are typed. */
export interface ConnectionFields {
  readonly name: string;
  readonly color: ConnectionView['color'];
  readonly platform: string;
  readonly dashboard: string;
  readonly studio: string;
  readonly drafts: ConnectionView['drafts'];
  readonly auth: ConnectionView['auth']['kind'];
  /** Empty = the stored one stays. */
  readonly key: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly resource: string;
  readonly authorities: string;
  readonly certificate: string;
  readonly certificateKey: string;
  readonly proxy: ConnectionView['proxy']['kind'];
  readonly proxyUrl: string;
  readonly proxyUser: string;
  readonly proxyPassword: string;
}

/** Sets a part of what is filled in. */
export type Change = (part: Partial<ConnectionFields>) => void;

/** A part of the form: what is filled in, how it changes, and which secrets are stored. */
export interface FormPart {
  readonly fields: ConnectionFields;
  readonly change: Change;
  readonly stored: ConnectionView['stored'] | undefined;
}

/** Fields whose text is whatever is typed. */
type TextField = {
  [Name in keyof ConnectionFields]: string extends ConnectionFields[Name] ? Name : never;
}[keyof ConnectionFields];

/** What an input needs to show a field and to change it. */
export function boundTo(name: TextField, { fields, change }: Pick<FormPart, 'fields' | 'change'>) {
  return {
    value: fields[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      change({ [name]: event.currentTarget.value }),
  };
}

/** What stands below the input of a secret. */
export function secretHint(isStored: boolean | undefined, otherwise: string): string {
  return isStored === true ? t('One is stored. Leave this empty to keep it.') : otherwise;
}

const USUAL_SCOPE = 'openid profile offline_access';

const NEW: ConnectionFields = {
  ...{ name: '', color: 'violet', platform: '', dashboard: '', studio: '', drafts: 'here' },
  ...{ auth: 'key', key: '', issuer: '', clientId: '', scope: USUAL_SCOPE, resource: '' },
  ...{ authorities: '', certificate: '', certificateKey: '' },
  ...{ proxy: 'system', proxyUrl: '', proxyUser: '', proxyPassword: '' },
};

function authFields(auth: ConnectionView['auth']): Partial<ConnectionFields> {
  if (auth.kind !== 'oidc') {
    return { auth: auth.kind };
  }
  const { kind, issuer, client_id: clientId, scope, resource } = auth;
  return { auth: kind, issuer, clientId, scope, resource: resource ?? '' };
}

function proxyFields(proxy: ConnectionView['proxy']): Partial<ConnectionFields> {
  return proxy.kind === 'manual'
    ? { proxy: proxy.kind, proxyUrl: proxy.url, proxyUser: proxy.user ?? '' }
    : { proxy: proxy.kind };
}

/** The form of a connection that is stored, or of a new one. */
export function fieldsOf(stored: ConnectionView | undefined): ConnectionFields {
  if (stored === undefined) {
    return NEW;
  }
  const { name, color, platform, dashboard, studio, drafts, auth, proxy } = stored;
  return {
    ...NEW,
    ...{ name, color, drafts },
    platform: platform ?? '',
    dashboard: dashboard ?? '',
    studio: studio ?? '',
    authorities: stored.authorities ?? '',
    certificate: stored.client_certificate ?? '',
    ...authFields(auth),
    ...proxyFields(proxy),
  };
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

function authOf(fields: ConnectionFields): Body['auth'] {
  if (fields.auth !== 'oidc') {
    return { kind: fields.auth };
  }
  const { issuer, clientId, scope, resource } = fields;
  return {
    kind: 'oidc',
    issuer: issuer.trim(),
    client_id: clientId,
    scope,
    resource: orNull(resource),
  };
}

function proxyOf({ proxy, proxyUrl, proxyUser }: ConnectionFields): Body['proxy'] {
  return proxy === 'manual'
    ? { kind: 'manual', url: proxyUrl.trim(), user: orNull(proxyUser) }
    : { kind: proxy };
}

/** What is sent: a secret that nobody typed is left out, so that the stored one stays. */
export function bodyOf(fields: ConnectionFields): Body {
  const { name, color, drafts, key, certificateKey, proxyPassword, studio } = fields;
  return {
    ...{ name, color },
    platform: orNull(fields.platform),
    dashboard: orNull(fields.dashboard),
    studio: orNull(studio),
    drafts: orNull(studio) === null ? 'here' : drafts,
    auth: authOf(fields),
    authorities: orNull(fields.authorities),
    client_certificate: orNull(fields.certificate),
    proxy: proxyOf(fields),
    ...(key.trim() === '' ? {} : { key }),
    ...(certificateKey.trim() === '' ? {} : { client_key: certificateKey }),
    ...(proxyPassword === '' ? {} : { proxy_password: proxyPassword }),
  };
}

/** True when enough is filled in to be sent; what is wrong with it the gateway says. */
export function isSendable(fields: ConnectionFields): boolean {
  const { name, platform, dashboard, studio, auth, issuer, clientId } = fields;
  const hasAddress = [platform, dashboard, studio].some((text) => text.trim() !== '');
  const hasSignIn = auth !== 'oidc' || (issuer.trim() !== '' && clientId.trim() !== '');
  return name.trim() !== '' && hasAddress && hasSignIn;
}
