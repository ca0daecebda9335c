import { fileStem } from '../kernel/file-stem.ts';
import { secretsInText } from '../kernel/secrets-in-text.ts';

/**
 * File name of the draft made from an import (importers 1, "Draft name"): always ends in `.yaml`.
 * Absent, empty and reserved names, and one that holds a credential, fall back to
 * `import-<first 12 hex of the source's hash>`.
 */
export function draftName(sourceName: string | null | undefined, sourceSha256: string): string {
  const shown = secretsInText(sourceName ?? '').length === 0 ? (sourceName ?? '') : '';
  return `${fileStem(shown) ?? `import-${sourceSha256.slice(0, 12)}`}.yaml`;
}
