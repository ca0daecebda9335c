import type { JsonObject } from '../../kernel/json.ts';
import { listedFindings } from '../../spec/reports/listed-findings.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';
import { refuse } from '../refuse.ts';
import { readSkill, type SkillContent } from './read-skill.ts';

/** What a spec's declared skills hold; a skill that cannot be used is a finding. */
export interface SkillReadings {
  readonly contents: Readonly<Record<string, SkillContent>>;
  readonly findings: readonly Diagnostic[];
}

/** Reads every declared skill. @throws Refusal spec_path_confined when a file is outside the root. */
export async function readSkills(root: string, spec: Spec | undefined): Promise<SkillReadings> {
  const contents: [string, SkillContent][] = [];
  const findings: Diagnostic[] = [];
  for (const [name, skill] of Object.entries(spec?.skills ?? {})) {
    const reading = await readSkill(root, skill.source);
    if (reading.ok) contents.push([name, reading.content]);
    else {
      findings.push({
        code: 'E_SKILL_SOURCE',
        severity: 'error',
        message: `The skill '${name}' cannot be used: ${reading.problem}`,
        path: `skills.${name}.source`,
        suggestion: 'Name a skill folder or a text file of the project.',
      });
    }
  }
  return { contents: Object.fromEntries(contents), findings };
}

/** The 400 of a spec whose skills cannot be used. */
export function skillsRefused(
  findings: readonly Diagnostic[],
  others: readonly Diagnostic[] = [],
): Error {
  const message = findings[0]?.message ?? 'A skill cannot be used.';
  const diagnostics = [...listedFindings(others), ...listedFindings(findings)];
  return refuse('invalid_request', { message, details: { diagnostics } });
}

/**
 * Reads every declared skill, so that later edits do not change the run: its instructions, or an
 * object of instructions and defaults when it brings settings along.
 * @throws Refusal spec_path_confined, or invalid_request when a skill cannot be used.
 */
export async function freezeSkills(root: string, spec: Spec | undefined): Promise<JsonObject> {
  const { contents, findings } = await readSkills(root, spec);
  if (findings.length > 0) throw skillsRefused(findings);
  const skills: JsonObject = {};
  for (const [name, { instructions, defaults }] of Object.entries(contents)) {
    skills[name] = Object.keys(defaults).length === 0 ? instructions : { instructions, defaults };
  }
  return skills;
}
