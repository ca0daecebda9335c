import { t } from '../../preload/texts/t.ts';
import { isJsonObject, type JsonObject } from '../../server/kernel/json.ts';
import { parseWholeText } from '../../server/spec/yaml/parse-yaml.ts';

/** A spec read from a text, or why there is none; `undefined` says nothing at all. */
export type SpecInText = { readonly spec: JsonObject } | { readonly problem: string | undefined };

/** Reads a spec that was typed or stands in a file, as YAML or JSON. */
export function specInText(text: string): SpecInText {
  if (text.trim() === '') {
    return { problem: undefined };
  }
  const format = text.trimStart().startsWith('{') ? 'json' : 'yaml';
  const { value, diagnostics } = parseWholeText(text, format);
  return isJsonObject(value)
    ? { spec: value }
    : { problem: diagnostics[0]?.message ?? t('This is no document of a spec.') };
}
