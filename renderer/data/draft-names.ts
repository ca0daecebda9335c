const GENERATED = ['.studio/drafts/', '.kneo-studio/drafts/'];

/** True for files of the generated namespace, shown as "Drafts" (decisions 18). */
export function isGenerated(ref: string): boolean {
  return GENERATED.some((prefix) => ref.startsWith(prefix));
}

/** A file's own name without its ending, as people say it. */
export function draftTitle(ref: string): string {
  return fileName(ref).replace(/\.(?:ya?ml|json)$/i, '');
}

/** The file's own name. */
export function fileName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
