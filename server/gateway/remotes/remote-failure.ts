import { systemCode } from '../../kernel/system-code.ts';
import type { GatewayErrorCode } from '../gateway-errors.ts';
import { PROXY_KIND_UNKNOWN } from './system-proxy.ts';

/** The code of the error that ends a handshake with a server whose key is another one. */
export const IDENTITY_CHANGED = 'REMOTE_IDENTITY_CHANGED';

/** What Node says of a connection that was not made, by what a person can do about it. */
const KNOWN: ReadonlyMap<string, GatewayErrorCode> = new Map([
  [IDENTITY_CHANGED, 'remote_identity_changed'],
  ...[
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'CERT_UNTRUSTED',
    'CERT_SIGNATURE_FAILURE',
    'INVALID_CA',
  ].map((code) => [code, 'remote_authority_unknown'] as const),
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'remote_name_wrong'],
  ['HOSTNAME_MISMATCH', 'remote_name_wrong'],
  ['CERT_HAS_EXPIRED', 'remote_certificate_expired'],
  ['CERT_NOT_YET_VALID', 'remote_certificate_expired'],
  ['ERR_PROXY_TUNNEL', 'remote_proxy_failed'],
  ['ERR_PROXY_INVALID_CONFIG', 'remote_proxy_failed'],
  [PROXY_KIND_UNKNOWN, 'remote_proxy_kind'],
  ['ENOTFOUND', 'remote_host_unknown'],
  ['EAI_AGAIN', 'remote_host_unknown'],
]);

/** Alerts by which a server says that it wants a certificate of the caller, or another one. */
const WANTS_CERTIFICATE =
  /^ERR_SSL_(?:TLSV13_ALERT_CERTIFICATE_REQUIRED|(?:TLSV1|SSLV3)_ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_(?:UNKNOWN|EXPIRED|REVOKED)|UNSUPPORTED_CERTIFICATE|HANDSHAKE_FAILURE))$/;

/** Why a remote could not be asked, as a code that says what to do. */
export function failureOf(error: unknown): GatewayErrorCode {
  const code = systemCode(error) ?? '';
  const known = KNOWN.get(code);
  if (known !== undefined) return known;
  if (WANTS_CERTIFICATE.test(code)) return 'remote_wants_certificate';
  const isTls = code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('CERT_');
  return isTls ? 'remote_tls_failed' : 'connection_unreachable';
}
