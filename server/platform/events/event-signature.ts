import { createHmac, randomBytes } from 'node:crypto';

// Signatures in the form of Standard Webhooks: any of its libraries verifies them.

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A secret that nobody has, in the form in which receivers keep it. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** What is signed. */
export interface Signed {
  readonly id: string;
  /** Whole seconds since the epoch. */
  readonly timestamp: number;
  readonly body: string;
}

function signature(secret: string, { id, timestamp, body }: Signed): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return `v1,${mac}`;
}

/** The headers of one request: one signature for each secret that is good now. */
export function signedHeaders(
  secrets: readonly string[],
  signed: Signed,
): Readonly<Record<string, string>> {
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': secrets.map((secret) => signature(secret, signed)).join(' '),
  };
}
