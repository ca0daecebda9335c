import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../kernel/json.ts';
import { readConfinedText } from '../../runtime/spec-files.ts';
import { joinSkillFiles, parseSkillBundle } from '../../spec/load/skills.ts';
import { formatOfFile, parseWholeText } from '../../spec/yaml/parse-yaml.ts';
import { confine } from './load-documents.ts';

/** What a run keeps of a skill. */
export interface SkillContent {
  readonly instructions: string;
  /** Settings of a run that the skill brings along. */
  readonly defaults: JsonObject;
}

export type SkillReading =
  | { readonly ok: true; readonly content: SkillContent }
  | { readonly ok: false; readonly problem: string };

const MAX_FILES = 500;
const INSTRUCTIONS = ['SKILL.md', 'skill.md', 'README.md'];
const DESCRIPTIONS = ['skill.yaml', 'skill.yml', 'skill.json'];

function refused(problem: string): SkillReading {
  return { ok: false, problem };
}

async function isFolder(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isDirectory();
  } catch {
    return false;
  }
}

/** Confines every file of a bundle, links included. @throws Refusal spec_path_confined. */
async function confineFiles(root: string, folder: string): Promise<void> {
  let seen = 0;
  const visit = async (current: string): Promise<void> => {
    for (const entry of await readdir(current, { withFileTypes: true })) {
      seen += 1;
      if (seen > MAX_FILES) return;
      const file = path.join(current, entry.name);
      if (entry.isDirectory()) await visit(file);
      else if (entry.isSymbolicLink()) await confine(root, file, 'skill');
    }
  };
  await visit(folder);
}

async function firstText(
  folder: string,
  names: readonly string[],
): Promise<{ readonly name: string; readonly text: string } | undefined> {
  for (const name of names) {
    const read = await readConfinedText(path.join(folder, name));
    if (read.ok) return { name, text: read.text };
  }
  return undefined;
}

function contentOf(instructions: string, defaults: JsonObject): SkillReading {
  return { ok: true, content: { instructions, defaults } };
}

async function readFolder(folder: string, name: string): Promise<SkillReading> {
  const main = await firstText(folder, INSTRUCTIONS);
  if (main === undefined) return refused('Its folder has no SKILL.md.');
  const bundle = main.name === 'SKILL.md' ? parseSkillBundle(main.text, name) : undefined;
  if (bundle?.bundle) return contentOf(bundle.bundle.instructions, bundle.bundle.defaults);
  const description = await firstText(folder, DESCRIPTIONS);
  if (description === undefined) {
    return refused(bundle?.problem ?? 'A folder without SKILL.md needs a skill.yaml.');
  }
  const described = parseWholeText(description.text, formatOfFile(description.name)).value;
  if (described === undefined) return refused(`Its ${description.name} is no mapping of keys.`);
  const joined = joinSkillFiles(main.text, described);
  return contentOf(joined.instructions, joined.defaults);
}

/**
 * Reads a skill's source (spec-v1 10, skill bundle): a folder with SKILL.md, a folder with a
 * description file beside its instructions, or a file.
 * @throws Refusal spec_path_confined when a file of it is outside the root.
 */
export async function readSkill(root: string, source: string): Promise<SkillReading> {
  const place = await confine(root, source, 'skill');
  if (await isFolder(place)) {
    await confineFiles(root, place);
    return readFolder(place, path.basename(path.resolve(root, source)));
  }
  const read = await readConfinedText(place);
  if (!read.ok) return refused('It cannot be read.');
  const { instructions, defaults } = joinSkillFiles(read.text, {});
  return contentOf(instructions, defaults);
}
