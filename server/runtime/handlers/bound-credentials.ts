import { credentialSecretName, readCredential } from '../../contract/credentials.ts';
import { StepFailure } from '../../handlers/handler.ts';
import type { HandlerPorts } from '../../handlers/ports.ts';
import { type Secrets, secretAdvice } from '../secrets.ts';

/** What credentials of a source are bound to among the secrets of a project. */
export function boundCredentials(secrets: Secrets): HandlerPorts['credential'] {
  return async (type, name) => {
    const secret = credentialSecretName(type, name);
    await secrets.ready();
    const answer = secrets.named(secret);
    if (answer.kind === 'missing') return null;
    const label = `Credential '${name}' (${type})`;
    if (answer.kind === 'refused')
      throw new StepFailure(`${label} is not given to this spec. ${secretAdvice(secret, answer)}`);
    const credential = readCredential(answer.value);
    if (credential !== undefined) return credential;
    throw new StepFailure(
      `${label}: what is kept under ${secret} is no credential. Bind it again under Credentials.`,
    );
  };
}
