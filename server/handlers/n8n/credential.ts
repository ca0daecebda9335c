import { type Credential, credentialSecretName } from '../../contract/credentials.ts';
import { type HandlerCall, StepFailure } from '../handler.ts';

/** What a credential of a step is called in messages. */
export function credentialLabel({ node }: HandlerCall, type: string): string {
  const name = node.credentials?.[type] ?? '';
  return name === '' ? `Credential of type '${type}'` : `Credential '${name}' (${type})`;
}

/** What a step's credential of a type is bound to. @throws StepFailure when to nothing */
export async function storedCredential(call: HandlerCall, type: string): Promise<Credential> {
  const name = call.node.credentials?.[type] ?? '';
  const found = await call.credential(type, name);
  if (found !== null) return found;
  throw new StepFailure(
    `${credentialLabel(call, type)} is bound to no secret. Bind it under Credentials, or set ${credentialSecretName(type, name)} and list it in SERV_SPEC_SECRETS (docs/credentials.md).`,
  );
}

/** The same, of one kind. @throws StepFailure when it is bound to nothing, or to another kind */
export async function credentialOfKind<Kind extends Credential['kind']>(
  call: HandlerCall,
  type: string,
  kind: Kind,
): Promise<Extract<Credential, { kind: Kind }>> {
  const found = await storedCredential(call, type);
  if (isOfKind(found, kind)) return found;
  throw new StepFailure(
    `${credentialLabel(call, type)} is bound to a credential of the kind '${found.kind}', and must be '${kind}'. Bind it again under Credentials.`,
  );
}

function isOfKind<Kind extends Credential['kind']>(
  credential: Credential,
  kind: Kind,
): credential is Extract<Credential, { kind: Kind }> {
  return credential.kind === kind;
}
