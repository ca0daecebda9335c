import type { CanvasView } from '../../contract/studio/analyses.ts';
import { formatOfFile, parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import { elementNamed, stepsOf } from './draft-steps.ts';
import type { DraftText, FixTarget } from './fix-types.ts';
import { fixTarget, type GapFacts, namedSources, surroundings } from './source-links.ts';

/** A gap under the id that it has in its analysis. */
export interface NamedGap {
  readonly id: string;
  readonly gap: GapFacts;
}

/** The gaps of an import as edits of its draft see them: with what the draft holds around each. */
export function draftTargets(
  draft: DraftText,
  canvas: CanvasView,
  gaps: readonly NamedGap[],
): readonly FixTarget[] {
  const document = parseSpecText(draft.text, formatOfFile(draft.file)).value ?? {};
  const steps = stepsOf(document);
  const parts = new Set(
    namedSources(canvas).flatMap(({ source_id, name }) => {
      const element = elementNamed(document, name, steps);
      return element.steps.length + element.components.length > 0 ? [source_id] : [];
    }),
  );
  const around = surroundings(canvas, (id) => parts.has(id));
  return gaps.map(({ id, gap }) => fixTarget(id, gap, around(gap.source_ref.source_id)));
}
