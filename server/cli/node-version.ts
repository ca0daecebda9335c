/** N-API 10 came with Node 22.14; the native SQLite module needs it. */
const NEEDED_NAPI = 10;

/** True for a runtime that the database can be loaded into. */
export function isModern(versions: Readonly<Record<string, string | undefined>>): boolean {
  return Number(versions['napi'] ?? '0') >= NEEDED_NAPI;
}

/** What an older runtime is told. */
export function modernNodeMessage(version: string): string {
  return `specwright: Node 22.14 or newer is needed, this is ${version}.`;
}
