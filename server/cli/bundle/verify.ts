import { readPublicKey } from '../../bundles/keys.ts';
import { openBundle } from '../../bundles/open-bundle.ts';
import { printJson, printLine } from '../output.ts';
import { readTextFile } from '../read-text-file.ts';
import { readBundleFile, told } from './bundle-files.ts';
import { printContents, signerLine } from './bundle-text.ts';

export interface VerifyOptions {
  readonly key?: string;
  readonly json?: boolean;
}

/** `bundle verify`: every file is the one that was packed, and the signature holds. */
export async function verify(file: string, options: VerifyOptions): Promise<number> {
  const { manifest, signer } = await told(() => {
    const key = options.key === undefined ? undefined : readPublicKey(readTextFile(options.key));
    return openBundle(readBundleFile(file), key);
  });
  if (options.json) {
    const signed = signer === null ? null : { key_id: signer.keyId, expected: signer.expected };
    printJson({ valid: true, signer: signed, manifest });
  } else {
    printContents(manifest);
    printLine(`✓ ${signerLine(signer)}`);
  }
  return 0;
}
