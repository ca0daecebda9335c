import { loadSpec } from '../../spec/load/load-spec.ts';
import { parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import { buildProgram } from '../build-program.ts';
import type { Program, ProgramOptions } from '../program.ts';

/** Program of a spec text; throws with the findings when the text is no good. */
export function programOf(text: string, options: ProgramOptions = {}): Program {
  const parsed = parseSpecText(text, text.trimStart().startsWith('{') ? 'json' : 'yaml');
  if (parsed.value === undefined) throw new Error(JSON.stringify(parsed.diagnostics));
  const loaded = loadSpec({ base: parsed.value });
  if (loaded.spec === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  return buildProgram(loaded.spec, options);
}
