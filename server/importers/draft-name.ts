import { fileStem } from '../kernel/file-stem.ts';

/**
 * File name of the draft made from an import (importers 1, "Draft name"): always ends in `.yaml`.
 * Absent, empty and reserved names fall back to `import-<first 12 hex of the source's hash>`.
 */
export function draftName(sourceName: string | null | undefined, sourceSha256: string): string {
  return `${fileStem(sourceName ?? '') ?? `import-${sourceSha256.slice(0, 12)}`}.yaml`;
}
