import type { ShownFinding } from '../../../server/contract/platform/findings.ts';
import { askSpecWorker } from './spec-client.ts';

/** A finding of the platform with its place in the text that it is about. */
export interface PlacedFinding extends ShownFinding {
  /** 1-based; null when the finding has no place in the text. */
  readonly line: number | null;
  readonly column: number | null;
}

/** Looks up where the paths of findings stand in a text. */
export async function locateFindings(
  findings: readonly ShownFinding[],
  text: string,
  file: string,
): Promise<readonly PlacedFinding[]> {
  return await Promise.all(
    findings.map(async (finding) => {
      const range =
        finding.path === null
          ? null
          : await askSpecWorker('locate', { text, file, path: finding.path });
      return { ...finding, line: range?.startLine ?? null, column: range?.startColumn ?? null };
    }),
  );
}
