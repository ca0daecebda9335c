import { draftTargets } from '../../gaps/fixes/draft-targets.ts';
import type { DraftText, FixTarget } from '../../gaps/fixes/fix-types.ts';
import type { Gap } from '../../importers/analysis.ts';
import { type ConvertOptions, convertFile } from '../import/import-file.ts';
import { readTextFile } from '../read-text-file.ts';

export interface GapOptions extends ConvertOptions {
  /** The draft as it is now; without it the one that an import would make. */
  readonly draft?: string;
}

/** The gaps of an export, and how each meets a draft of it. */
export interface ExportGaps {
  readonly gaps: readonly Gap[];
  readonly draft: DraftText;
  readonly targets: readonly FixTarget[];
}

/** Converts an export and reads its draft. @throws CommandFailure */
export function exportGaps(file: string, options: GapOptions): ExportGaps {
  const { gaps, canvas, spec_yaml } = convertFile(file, options);
  const draft =
    options.draft === undefined
      ? { text: spec_yaml, file: 'draft.yaml' }
      : { text: readTextFile(options.draft), file: options.draft };
  const named = gaps.map((gap) => ({ id: gap.gap_id, gap }));
  return { gaps, draft, targets: draftTargets(draft, canvas, named) };
}
