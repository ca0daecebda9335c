const ENDINGS = /\.(?:json|ya?ml)$/i;

/** True for a name that an export may have; folders and archives are searched for these. */
export function looksLikeExport(name: string): boolean {
  return ENDINGS.test(name);
}

/** True for the name of an archive that is opened. */
export function isArchive(name: string): boolean {
  return /\.zip$/i.test(name);
}

/**
 * The tool that a file was exported from, by its name and else by its first character; undefined
 * when neither says so. The services never guess: the caller names the source (importers 1).
 */
export function sourceOfFile(name: string, text: string): 'n8n' | 'dify' | undefined {
  if (/\.json$/i.test(name)) return 'n8n';
  if (/\.ya?ml$/i.test(name)) return 'dify';
  return /^\s*[[{]/.test(text) ? 'n8n' : undefined;
}
