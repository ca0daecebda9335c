import type { DraftRef } from '../../contract/studio/fields.ts';
import type { ComposeView } from '../../contract/studio/govern.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { emitYaml } from '../../spec/emit-yaml.ts';
import { layerWithOrigins, type Origin } from '../../spec/overlay.ts';
import { parseSpecText } from '../../spec/parse-yaml.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { readComponents } from '../artifacts/read-components.ts';
import type { StudioDeps } from '../deps.ts';

function toOriginView(path: string, origin: Origin): ComposeView['origins'][number] {
  const overlay = origin.layer === 'overlay' ? origin.index : null;
  return { path, origin: origin.layer, overlay };
}

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
  const [base, ...overlays] = await readComponents(deps, project, input);
  if (base === undefined) throw new TypeError('a composition has no base');
  const canonical = canonicalJson(input.overrides, 'ascii');
  const overrides = parseSpecText(canonical, 'json').value;
  const layers = overlays.map((overlay) => overlay.document);
  const { document, origins } = layerWithOrigins(base.document, layers, overrides);
  return {
    text: emitYaml(document),
    overrides_sha256: sha256Hex(canonical),
    origins: [...origins].map(([path, origin]) => toOriginView(path, origin)),
  };
}
