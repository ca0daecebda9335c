import { isObject, type Json, type JsonObject } from '../kernel/json.ts';
import type { Gap, Suggestion } from './analysis.ts';
import type { Protector } from './secrets.ts';
import { SourceRefused } from './source-refused.ts';

/** Members of a spec whose values are always words of ours. */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  'version',
  'type',
  'kind',
  'provider',
  'implementation',
]);
const OWN_NAME = /^(?:imported-agent|(?:agent|step|function|human|workflow)_\d+)$/;

function refuse(where: string): SourceRefused {
  return new SourceRefused(
    'source_credential_in_generated_content',
    `A credential written in the source would appear in the ${where}. Take it out of the source and import again.`,
    { field: where },
  );
}

function checkSpec(value: Json, key: string, protector: Protector): void {
  if (typeof value === 'string') {
    const own = OWN_MEMBERS.has(key) || OWN_NAME.test(value);
    if (!own && protector.holds(value)) throw refuse('draft');
  } else if (Array.isArray(value)) {
    for (const item of value) checkSpec(item, key, protector);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (!OWN_NAME.test(name) && protector.holds(name)) throw refuse('draft');
      checkSpec(item, name, protector);
    }
  }
}

function checkGap(gap: Gap, protector: Protector): void {
  const { source_ref, kind } = gap;
  const texts = [
    gap.gap_id.slice(kind.length + 1),
    gap.title,
    gap.detail,
    source_ref.source_id,
    source_ref.source_label,
    source_ref.locator,
  ];
  if (texts.some((text) => protector.holds(text))) throw refuse('gaps');
}

/** Gap texts with every credential literal replaced; ids and locators stay (importers 10). */
export function scrubGap(gap: Gap, protector: Protector): Gap {
  if (protector.idle) return gap;
  const source_label = protector.scrub(gap.source_ref.source_label);
  return {
    ...gap,
    source_ref: { ...gap.source_ref, source_label },
    title: protector.scrub(gap.title),
    detail: protector.scrub(gap.detail),
  };
}

/** Suggestion texts with every credential literal replaced (importers 10). */
export function scrubSuggestion(suggestion: Suggestion, protector: Protector): Suggestion {
  return {
    ...suggestion,
    title: protector.scrub(suggestion.title),
    detail: protector.scrub(suggestion.detail),
    rationale: protector.scrub(suggestion.rationale),
  };
}

/** Refuses the import if any finished text still holds a credential literal (importers 10). */
export function lastCheck(
  spec: JsonObject,
  gaps: readonly Gap[],
  suggestions: readonly Suggestion[],
  protector: Protector,
): void {
  if (protector.idle) return;
  checkSpec(spec, '', protector);
  for (const gap of gaps) checkGap(gap, protector);
  for (const { id, title, detail, rationale } of suggestions) {
    if ([id, title, detail, rationale].some((text) => protector.holds(text))) {
      throw refuse('suggestions');
    }
  }
}
