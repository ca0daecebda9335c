import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { parseWholeText } from '../yaml/parse-yaml.ts';

/** A skill read from its bundle (spec-v1 10). `instructions` join the system prompt. */
export interface SkillBundle {
  readonly name: string | null;
  readonly description: string | null;
  readonly instructions: string;
  readonly defaults: JsonObject;
  readonly extra: JsonObject;
  readonly tools: readonly string[];
  readonly front_matter: JsonObject;
}

/** A skill that was read, or why it could not be. */
export type SkillRead =
  | { readonly bundle: SkillBundle; readonly problem: null }
  | { readonly bundle: null; readonly problem: string };

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
const NAME = /^[a-z0-9-]{1,64}$/;
const MAX_DESCRIPTION = 1024;

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function bundleOf(front: JsonObject, instructions: string): SkillBundle {
  const { name, description, tools } = front;
  return {
    name: typeof name === 'string' ? name : null,
    description: typeof description === 'string' ? description : null,
    instructions: instructions.trim(),
    defaults: objectOf(front['defaults']),
    extra: objectOf(front['extra']),
    tools: texts(tools),
    front_matter: front,
  };
}

function refused(problem: string): SkillRead {
  return { bundle: null, problem };
}

/** A single file: its whole text is the instructions; front matter is taken off when there is some. */
export function parseSkillFile(text: string): SkillRead {
  const match = FRONT_MATTER.exec(text);
  if (match === null) return { bundle: bundleOf({}, text), problem: null };
  return parseSkillBundle(text, null);
}

/**
 * The `SKILL.md` of a bundle. `folder` is the folder's name, which the name in the front matter must
 * equal; null when it is not to be compared.
 */
export function parseSkillBundle(text: string, folder: string | null): SkillRead {
  const match = FRONT_MATTER.exec(text);
  if (match === null) return refused('SKILL.md begins with front matter between two lines "---".');
  const { value, diagnostics } = parseWholeText(match[1] ?? '', 'yaml');
  if (value === undefined) {
    return refused(diagnostics[0]?.message ?? 'The front matter is no mapping of keys.');
  }
  const { name, description } = value;
  if (typeof name !== 'string' || !NAME.test(name)) {
    return refused('The name of a skill has 1 to 64 of a-z, 0-9 and "-".');
  }
  if (folder !== null && name !== folder) {
    return refused(`The skill is named "${name}", but its folder "${folder}"; make them equal.`);
  }
  if (typeof description !== 'string' || [...description].length > MAX_DESCRIPTION) {
    return refused(`A skill has a description of at most ${MAX_DESCRIPTION} characters.`);
  }
  return { bundle: bundleOf(value, text.slice(match[0].length)), problem: null };
}

/** The second choice: a description file beside an instructions file (spec-v1 10). */
export function joinSkillFiles(instructions: string, description: JsonObject): SkillBundle {
  const match = FRONT_MATTER.exec(instructions);
  return bundleOf(description, match === null ? instructions : instructions.slice(match[0].length));
}
