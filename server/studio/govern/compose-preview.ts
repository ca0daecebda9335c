import { refuse } from '../../contract/studio/errors.ts';
import type { DraftRef } from '../../contract/studio/fields.ts';
import type { ComposeView } from '../../contract/studio/govern.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { readComponents } from '../artifacts/read-components.ts';
import type { StudioDeps } from '../deps.ts';
import { sha256 } from '../files/sha256.ts';

/** What an artifact of these layers would hold, and where each value comes from (studio.md 18). */
export async function composePreview(
  deps: StudioDeps,
  project: ProjectRow,
  input: {
    base: DraftRef;
    overlays: readonly DraftRef[];
    overrides: Readonly<Record<string, unknown>>;
  },
): Promise<ComposeView> {
  const components = await readComponents(deps, project, input);
  const texts = components.map(({ ref, text }) => ({ name: ref, text }));
  const canonical = canonicalJson(input.overrides, 'ascii');
  const size = texts.reduce((sum, { text }) => sum + text.length, canonical.length);
  const view = await deps.drafts.composed(size, texts, canonical);
  if (view === null) throw refuse('spec_too_complex');
  return { ...view, overrides_sha256: sha256(canonical) };
}
