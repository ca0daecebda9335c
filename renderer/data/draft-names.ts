const GENERATED = ['.studio/drafts/', '.kneo-studio/drafts/'];

/** True for files of the generated namespace, shown as "Drafts" (decisions 18). */
export function isGenerated(ref: string): boolean {
  return GENERATED.some((prefix) => ref.startsWith(prefix));
}

/** The file's own name. */
export function fileName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
