import type { JsonObject } from '../../kernel/json.ts';
import { refuse } from '../refuse.ts';
import type { PreparedSpec } from './prepare-spec.ts';
import { readSkill } from './read-skill.ts';

/**
 * Reads every declared skill, so that later edits do not change the run: its instructions, or an
 * object of instructions and defaults when it brings settings along.
 * @throws Refusal spec_path_confined, or invalid_request when a skill cannot be used.
 */
export async function freezeSkills(root: string, prepared: PreparedSpec): Promise<JsonObject> {
  const skills: JsonObject = {};
  for (const [name, skill] of Object.entries(prepared.loaded.spec?.skills ?? {})) {
    const reading = await readSkill(root, skill.source);
    if (!reading.ok) {
      const message = `The skill '${name}' cannot be used: ${reading.problem}`;
      throw refuse('invalid_request', { message });
    }
    const { instructions, defaults } = reading.content;
    skills[name] = Object.keys(defaults).length === 0 ? instructions : { instructions, defaults };
  }
  return skills;
}
