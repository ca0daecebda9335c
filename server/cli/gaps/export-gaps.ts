import { elementNamed, stepsOf } from '../../gaps/fixes/draft-steps.ts';
import type { DraftText, FixTarget } from '../../gaps/fixes/fix-types.ts';
import { fixTarget, namedSources, surroundings } from '../../gaps/fixes/source-links.ts';
import type { Gap } from '../../importers/analysis.ts';
import { formatOfFile, parseSpecText } from '../../spec/yaml/parse-yaml.ts';
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
  const document = parseSpecText(draft.text, formatOfFile(draft.file)).value ?? {};
  const steps = stepsOf(document);
  const parts = new Set(
    namedSources(canvas).flatMap(({ source_id, name }) => {
      const element = elementNamed(document, name, steps);
      return element.steps.length + element.components.length > 0 ? [source_id] : [];
    }),
  );
  const around = surroundings(canvas, (id) => parts.has(id));
  const targets = gaps.map((gap) => fixTarget(gap.gap_id, gap, around(gap.source_ref.source_id)));
  return { gaps, draft, targets };
}
