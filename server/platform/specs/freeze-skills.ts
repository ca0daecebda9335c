import { stat } from 'node:fs/promises';
import path from 'node:path';
import { readConfinedText } from '../../runtime/spec-files.ts';
import { refuse } from '../refuse.ts';
import { confine } from './load-documents.ts';
import type { PreparedSpec } from './prepare-spec.ts';

async function isFolder(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isDirectory();
  } catch {
    return false;
  }
}

/** The instructions inside a bundle's text: what follows its front matter. */
function instructionsOf(text: string): string {
  const match = /^---\r?\n[\s\S]*?\r?\n---\r?\n?/.exec(text);
  return (match === null ? text : text.slice(match[0].length)).trim();
}

const BUNDLE_FILES = ['SKILL.md', 'skill.md', 'README.md'];

async function readSkill(root: string, source: string): Promise<string | undefined> {
  const place = await confine(root, source, 'skill');
  if (!(await isFolder(place))) {
    const read = await readConfinedText(place);
    return read.ok ? instructionsOf(read.text) : undefined;
  }
  for (const name of BUNDLE_FILES) {
    const file = await confine(root, path.join(place, name), 'skill');
    const read = await readConfinedText(file);
    if (read.ok) return instructionsOf(read.text);
  }
  return undefined;
}

/**
 * Reads the instructions of every declared skill, so that later edits do not change the run.
 * @throws Refusal spec_path_confined, or invalid_request when a skill cannot be read.
 */
export async function freezeSkills(
  root: string,
  prepared: PreparedSpec,
): Promise<Readonly<Record<string, string>>> {
  const skills: Record<string, string> = {};
  for (const [name, skill] of Object.entries(prepared.loaded.spec?.skills ?? {})) {
    const text = await readSkill(root, skill.source);
    if (text === undefined) {
      throw refuse('invalid_request', { message: `The skill '${name}' cannot be read.` });
    }
    skills[name] = text;
  }
  return skills;
}
