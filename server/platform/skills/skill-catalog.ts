import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { SkillItem } from '../../contract/platform/skills.ts';
import { isObject } from '../../kernel/json.ts';
import type { Log } from '../../kernel/log.ts';
import { confinePath, readConfinedText } from '../../runtime/spec-files.ts';
import { parseSkillBundle, parseSkillFile } from '../../spec/load/skills.ts';
import { formatOfFile } from '../../spec/yaml/parse-yaml.ts';
import type { PlatformDeps } from '../deps.ts';

type CatalogDeps = Pick<PlatformDeps, 'specRoot' | 'log' | 'specReader'>;

const DEFAULT_FOLDERS = ['.agents/skills', '.claude/skills'];
const MAX_DEPTH = 4;
const MAX_FILES = 500;
const SPEC_SUFFIXES = new Set(['.yaml', '.yml', '.json']);
const SKIPPED = new Set(['node_modules', '.git']);

/** Files below a folder, at most four folders deep, that the filter wants. */
async function filesBelow(
  folder: string,
  wanted: (name: string) => boolean,
  depth = MAX_DEPTH,
  found: string[] = [],
): Promise<string[]> {
  if (depth < 0 || found.length >= MAX_FILES) return found;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (found.length >= MAX_FILES) break;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) {
      await filesBelow(file, wanted, depth - 1, found);
    } else if (entry.isFile() && wanted(entry.name)) found.push(file);
  }
  return found;
}

/** Relative to the project root or the user's home; else the bare folder name. */
function shownPath(file: string, root: string): string {
  for (const base of [root, homedir()]) {
    const relative = path.relative(base, file);
    if (relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative)) {
      return relative.split(path.sep).join('/');
    }
  }
  return path.basename(file);
}

async function defaultSkills(root: string, log: Log): Promise<SkillItem[]> {
  const bases = [...new Set([root, homedir()])];
  const items: SkillItem[] = [];
  for (const base of bases) {
    for (const name of DEFAULT_FOLDERS) {
      const files = await filesBelow(path.join(base, name), (file) => file === 'SKILL.md');
      for (const file of files) {
        const folder = path.dirname(file);
        const read = await readConfinedText(file);
        if (!read.ok) continue;
        const skill = parseSkillBundle(read.text, path.basename(folder));
        if (skill.bundle === null) {
          log.warn({ skill: path.basename(folder) }, 'a skill cannot be read');
          continue;
        }
        items.push({
          name: skill.bundle.name ?? path.basename(folder),
          description: skill.bundle.description,
          path: shownPath(folder, root),
          origin: 'default',
        });
      }
    }
  }
  return items;
}

async function descriptionOf(root: string, source: string): Promise<string | null> {
  for (const file of [path.join(source, 'SKILL.md'), source]) {
    const confined = await confinePath(root, file);
    if (!confined.ok) return null;
    const read = await readConfinedText(confined.path);
    if (read.ok) return parseSkillFile(read.text).bundle?.description ?? null;
  }
  return null;
}

async function declaredIn(deps: CatalogDeps, file: string): Promise<SkillItem[]> {
  const { specRoot: root } = deps;
  const read = await readConfinedText(file);
  if (!read.ok || !read.text.includes('skills')) return [];
  const skills = await deps.specReader.skills(read.text, formatOfFile(file));
  if (!isObject(skills)) return [];
  const items: SkillItem[] = [];
  for (const [name, skill] of Object.entries(skills)) {
    if (!isObject(skill) || typeof skill['source'] !== 'string') continue;
    const described = skill['description'];
    items.push({
      name,
      description:
        typeof described === 'string' ? described : await descriptionOf(root, skill['source']),
      path: shownPath(path.resolve(root, skill['source']), root),
      origin: 'declared',
    });
  }
  return items;
}

/** Default and declared skills, each name and path once (contract/platform.md 3.10). */
export async function skillCatalog(deps: CatalogDeps): Promise<SkillItem[]> {
  const items = await defaultSkills(deps.specRoot, deps.log);
  const specs = await filesBelow(deps.specRoot, (name) => SPEC_SUFFIXES.has(path.extname(name)));
  for (const file of specs) items.push(...(await declaredIn(deps, file)));
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = `${item.name}\n${item.path}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
