import { compareCodePoints } from '../../kernel/canonical-json.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { isGenerated } from '../files/canonical-ref.ts';

/** Registered refs outside the generated namespace, ascending (studio.md 6.7). */
export function privilegedEntries(refs: readonly string[]): string[] {
  return refs.filter((ref) => !isGenerated(ref)).sort(compareCodePoints);
}

/** SHA-256 over the root's identity and each privileged ref, one a line. */
export function exposureDigest(identity: string, privileged: readonly string[]): string {
  return sha256Hex([identity, ...privileged].join('\n'));
}
