const ENDINGS = /\.(?:json|ya?ml)$/i;

/** True for a name that an export may have; folders and archives are searched for these. */
export function looksLikeExport(name: string): boolean {
  return ENDINGS.test(name);
}

/** True for the name of an archive that is opened. */
export function isArchive(name: string): boolean {
  return /\.zip$/i.test(name);
}

/** A tool whose exports are recognised. */
export type KnownSource = 'n8n' | 'dify' | 'crewai' | 'flowise';

/** What may be imported, in a sentence for whoever chose another file. */
export const IMPORTABLE =
  'n8n exports (.json), Dify apps (.yml), and as an experiment Flowise AgentFlow V2 (.json) and CrewAI projects (agents.yaml with tasks.yaml) can be imported.';

/** Sources that are read, and not yet held against many files. */
const EXPERIMENTAL: ReadonlyMap<string, string> = new Map([
  ['crewai', 'CrewAI'],
  ['flowise', 'Flowise'],
]);

/** The name of a source that is experimental; undefined for the others. */
export function experimentalSource(source: string): string | undefined {
  return EXPERIMENTAL.get(source);
}

/** A source as its makers write it. */
export function sourceName(source: string): string {
  return source === 'dify' ? 'Dify' : (experimentalSource(source) ?? source);
}

/** Names of blocks of Flowise's editor. */
const FLOWISE = /"name"\s{0,8}:\s{0,8}"[A-Za-z]{1,40}Agentflow"/;
const DIFY = /^(?:app|workflow|kind)\s{0,8}:/m;
const ROLE = /^\s{1,20}role\s{0,8}:/m;
const GOAL = /^\s{1,20}goal\s{0,8}:/m;

/**
 * The tool that a file was exported from, by its name and what it holds; undefined when neither says
 * so. The services never guess: the caller names the source (importers 1).
 */
export function sourceOfFile(name: string, text: string): KnownSource | undefined {
  if (/\.ya?ml$/i.test(name)) {
    const isCrew = !DIFY.test(text) && ROLE.test(text) && GOAL.test(text);
    return isCrew ? 'crewai' : 'dify';
  }
  if (!/\.json$/i.test(name) && !/^\s*[[{]/.test(text)) return undefined;
  return FLOWISE.test(text) ? 'flowise' : 'n8n';
}
