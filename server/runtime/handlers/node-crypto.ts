import { createHash, createHmac, randomBytes, randomUUID, sign } from 'node:crypto';
import { StepFailure } from '../../handlers/handler.ts';
import type { CryptoPort } from '../../handlers/ports.ts';

const MAX_RANDOM_BYTES = 1_048_576;

/** Runs what Node's crypto does, with its refusals as failures of the step. */
function orFailure<Answer>(what: string, work: () => Answer): Answer {
  try {
    return work();
  } catch {
    throw new StepFailure(what);
  }
}

/** Digests, signatures and chance of Node. */
export const nodeCrypto: CryptoPort = {
  hash: (algorithm, data) =>
    orFailure(`Digest method not supported: ${algorithm}`, () =>
      createHash(algorithm).update(data).digest(),
    ),
  hmac: (algorithm, secret, data) =>
    orFailure(`Invalid digest: ${algorithm}`, () =>
      createHmac(algorithm, secret).update(data).digest(),
    ),
  sign: (algorithm, privateKey, data) =>
    orFailure(
      `The data could not be signed with ${algorithm}: give the private key in PEM, without a passphrase`,
      () => sign(algorithm, data, privateKey),
    ),
  randomBytes(count) {
    if (!Number.isInteger(count) || count < 0 || count > MAX_RANDOM_BYTES)
      throw new StepFailure(`The length must be a whole number up to ${MAX_RANDOM_BYTES}`);
    return randomBytes(count);
  },
  randomUuid: randomUUID,
};
