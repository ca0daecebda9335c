/** Newer Chromium asks before a page reaches this machine; the gateway is on this machine. */
const TO_THIS_MACHINE = new Set(['loopback-network', 'local-network-access']);

/**
 * Everything that a page could ask of the system is denied, but for the workbench's own way to the
 * gateway; the content security policy narrows that to one address.
 * `origin` is an origin or an address within it.
 */
export function isPermitted(permission: string, origin: string, home: string): boolean {
  return TO_THIS_MACHINE.has(permission) && (origin === home || origin.startsWith(`${home}/`));
}
