/** Newer Chromium asks before a page reaches this machine; the gateway is on this machine. */
const TO_THIS_MACHINE = new Set(['loopback-network', 'local-network-access']);

/** News of runs and tasks, where the person switched that on. */
const NEWS = 'notifications';

/** Texts that somebody copies with a button. Reading the clipboard is another permission. */
const COPY = 'clipboard-sanitized-write';

/**
 * Everything that a page could ask of the system is denied, but for the workbench's own way to the
 * gateway, which the content security policy narrows to one address, for telling news and for
 * copying texts. `origin` is an origin or an address within it.
 */
export function isPermitted(permission: string, origin: string, home: string): boolean {
  const isKnown = permission === NEWS || permission === COPY || TO_THIS_MACHINE.has(permission);
  return isKnown && (origin === home || origin.startsWith(`${home}/`));
}
