import { type ErrorTable, type Refusal, refusalsOf, row } from '../kernel/refusal.ts';

/** The gateway's own failures (decisions 31); those of a service pass through unchanged. */
export const GATEWAY_ERRORS = {
  gateway_unauthorized: row(
    401,
    'Open the workbench with its one-time link, or from the application window.',
  ),
  gateway_session_expired: row(
    401,
    'The session of this browser has ended. Open the workbench with a new one-time link.',
  ),
  sign_in_required: row(401, 'Sign in first.'),
  link_required: row(
    403,
    'This is for who runs the program: ask it for a link ("specwright link") and open it in this browser.',
  ),
  role_refused: row(403, 'Your role at the dashboard does not allow this.'),
  untrusted_forwarding: row(
    403,
    'A proxy that nobody named passed this request on. Who runs the program names it in SPECWRIGHT_TRUSTED_PROXIES.',
  ),
  gateway_origin_refused: row(
    403,
    'The workbench does not answer pages of another origin, nor under another host name.',
  ),
  connection_unknown: row(404, 'The current connection has no such service.'),
  request_invalid: row(400, 'The gateway cannot read this request.'),
  payload_too_large: row(413, 'The body is larger than the gateway takes.'),
  key_name_refused: row(
    400,
    'A key is stored under a name such as OPENAI_API_KEY; the names of the services themselves are not free.',
  ),
  key_refused: row(400, 'A key is one line of printable characters, 8,192 at most.'),
  keys_not_here: row(
    409,
    'The runs of this connection execute on another computer. Set the keys there.',
  ),
  keychain_locked: row(
    409,
    'The keychain of this computer is locked. Unlock it, or keep the secret in the encrypted file.',
  ),
  keychain_absent: row(
    503,
    'No keychain answers on this computer. Start it and try again, or use the encrypted file.',
  ),
  secrets_locked: row(409, 'The encrypted file is locked. Enter its passphrase first.'),
  secrets_busy: row(503, 'Another program changes the secrets at this moment. Try again.', {
    retryable: true,
  }),
  secrets_newer: row(
    409,
    'A later version of Specwright wrote the file of secrets. Update this one; nothing was changed.',
  ),
  secrets_unreadable: row(
    503,
    'The encrypted file of secrets, or the key beside it, cannot be read now. See that the folder "secrets" of the data folder is there and yours; nothing was changed.',
  ),
  secrets_unwritable: row(
    503,
    'The folder of stored secrets cannot be written: the disk is full, or it is not yours to write. What was stored is as it was.',
  ),
  secret_unknown: row(404, 'There is no stored secret of this name.'),
  secret_unreadable: row(
    409,
    'What was stored under this name is gone or damaged. Store the secret again, or remove it.',
  ),
  passphrase_wrong: row(403, 'This is not the passphrase of the encrypted file.'),
  passphrase_refused: row(400, 'A passphrase has 10 to 1,024 characters.'),
  not_found: row(404, 'The gateway has nothing at this address.'),
  connection_unreachable: row(502, 'The service behind the current connection does not answer.', {
    retryable: true,
  }),
  connection_gone: row(
    404,
    'This window’s connection was removed. Choose another one in the title bar.',
  ),
  sign_in_refused: row(
    502,
    'The identity provider refused the sign-in. Try again, or ask who runs it.',
  ),
  sign_in_failed: row(
    502,
    'What the identity provider answered cannot be trusted. Check issuer and client of the connection.',
  ),
  sign_in_unreachable: row(
    502,
    'The identity provider does not answer. Check the issuer of the connection, and the network.',
    { retryable: true },
  ),
  sign_in_given_up: row(408, 'Nobody came back from the browser in ten minutes. Sign in again.'),
  connection_refused: row(
    400,
    'A connection needs a name, the address of at least one service (https://), and a way to say who asks.',
  ),
  certificate_refused: row(
    400,
    'The certificate and its private key cannot be used. Give both as PEM text that belongs together, the key without a passphrase.',
  ),
  remote_authority_unknown: row(
    502,
    'Nobody whom this computer knows vouches for the certificate of the server. Nothing was sent. If it is your organisation’s own, add its authority (CA) to the connection.',
  ),
  remote_name_wrong: row(
    502,
    'The certificate of the server is for another host name. Nothing was sent. Check the address of the connection.',
  ),
  remote_certificate_expired: row(
    502,
    'The certificate of the server is not valid today. Nothing was sent. Check the clock of this computer, or ask who runs the server to renew it.',
  ),
  remote_identity_changed: row(
    502,
    'The server has another key than before. Nothing was sent. Ask who runs it whether its certificate was replaced, then test the connection and accept the new key.',
  ),
  remote_wants_certificate: row(
    502,
    'The server wants a client certificate, or another one. Add the one that you were given to the connection.',
  ),
  remote_tls_failed: row(
    502,
    'No secure connection was made: the server does not speak TLS at this address. Check scheme and port.',
  ),
  remote_proxy_failed: row(
    502,
    'The proxy did not let the connection through. Check the proxy of the connection, with its user name and password.',
  ),
  remote_proxy_kind: row(
    502,
    'The network settings of this computer lead there by a kind of proxy that connections do not speak (SOCKS). Nothing was sent. Fill in an HTTP proxy in the connection, or choose none.',
  ),
  remote_host_unknown: row(
    502,
    'The host name of the connection is not known. Check its spelling, and the network.',
    { retryable: true },
  ),
  remote_redirected: row(
    502,
    'The server sent the request on to another address. It was not followed, since the credential of the connection is not for others. Check the address.',
  ),
  remote_lacks: row(
    501,
    'The platform of this connection does not offer this: it is an older version, or of another make. Everything else works on.',
  ),
  remote_key_refused: row(
    401,
    'The server did not accept the key of the connection. Store a valid one.',
  ),
  remote_key_missing: row(401, 'No key is stored for this connection. Store one.'),
  remote_sign_in_required: row(
    401,
    'You are not signed in at this connection any more. Sign in again; what you typed stays.',
  ),
  rights_unknown: row(
    503,
    'The dashboard says what you may do at the platform, and it does not answer. Nothing was passed on.',
    { retryable: true },
  ),
  internal_error: row(500, 'The gateway failed. Its log has the cause.'),
} satisfies ErrorTable;

/** A code that the gateway answers with itself. */
export type GatewayErrorCode = keyof typeof GATEWAY_ERRORS;

/** True for a code of this table. */
export function isGatewayCode(code: string): code is GatewayErrorCode {
  return Object.hasOwn(GATEWAY_ERRORS, code);
}

/** A refusal with a code of the gateway's table. */
export const refuseAtGateway = refusalsOf(GATEWAY_ERRORS);

/** Body of every failure of the gateway itself. */
export function gatewayEnvelope(refusal: Refusal, requestId: string) {
  return { code: refusal.code, message: refusal.message, request_id: requestId };
}
