import { newKeyPair } from '../../bundles/keys.ts';
import { printJson, printLine } from '../output.ts';
import { writeNewFile } from '../write-file.ts';

/** `bundle keygen`: a key pair as two new files, the private one for its owner only. */
export function keygen(name: string, options: { readonly json?: boolean }): number {
  const { privateKey, publicKey, keyId } = newKeyPair();
  const files = { private_key: `${name}.key`, public_key: `${name}.pub` };
  writeNewFile(files.private_key, privateKey, 0o600);
  writeNewFile(files.public_key, publicKey);
  if (options.json) printJson({ ...files, key_id: keyId });
  else {
    printLine(`✓ ${files.private_key}: signs bundles; keep it to yourself`);
    printLine(`✓ ${files.public_key}: give it to those who run them (${keyId})`);
  }
  return 0;
}
