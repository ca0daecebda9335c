/** How a spec begins to tell its version, in YAML and in JSON. */
const VERSION =
  /^(?:version|[ \t{]*"version")[ \t]*:[ \t]*["']?v[01]["']?[ \t]*(?:,[ \t]*)?(?:#[^\n]*)?\r?$/m;
const PART = /^[ \t{]*["']?(?:agent|workflow|components)["']?[ \t]*:/m;

/** True for a text that seems to be a spec: a glance at its lines, not a reading. */
export function looksLikeSpec(text: string): boolean {
  return VERSION.test(text) && PART.test(text);
}
