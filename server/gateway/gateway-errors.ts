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
  rights_unknown: row(
    503,
    'The dashboard says what you may do at the platform, and it does not answer. Nothing was passed on.',
    { retryable: true },
  ),
  internal_error: row(500, 'The gateway failed. Its log has the cause.'),
} satisfies ErrorTable;

/** A code that the gateway answers with itself. */
export type GatewayErrorCode = keyof typeof GATEWAY_ERRORS;

/** A refusal with a code of the gateway's table. */
export const refuseAtGateway = refusalsOf(GATEWAY_ERRORS);

/** Body of every failure of the gateway itself. */
export function gatewayEnvelope(refusal: Refusal, requestId: string) {
  return { code: refusal.code, message: refusal.message, request_id: requestId };
}
