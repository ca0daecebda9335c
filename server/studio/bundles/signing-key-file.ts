import path from 'node:path';

/** Where this installation keeps the key that signs its bundles. */
export function signingKeyFile(stateDir: string): string {
  return path.join(stateDir, 'bundle-signing.key');
}
