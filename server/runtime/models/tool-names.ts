/** Names under which tools are offered: providers take letters, digits, `_` and `-`, at most 64. */
export interface ToolNames {
  /** The name on the wire; a name that is not offered is only made safe. */
  toWire(name: string): string;
  /** The tool of the spec behind a name on the wire. */
  fromWire(wire: string): string;
}

const LONGEST = 64;

function safe(name: string): string {
  const cleaned = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST);
  return /^[A-Za-z_]/.test(cleaned) ? cleaned : `_${cleaned}`.slice(0, LONGEST);
}

/** Gives each offered tool a name of its own on the wire. */
export function toolNames(offered: readonly string[]): ToolNames {
  const wires = new Map<string, string>();
  const names = new Map<string, string>();
  for (const name of offered) {
    let wire = safe(name);
    for (let n = 2; names.has(wire); n += 1) {
      wire = `${safe(name).slice(0, LONGEST - 4)}_${n}`;
    }
    wires.set(name, wire);
    names.set(wire, name);
  }
  return {
    toWire: (name) => wires.get(name) ?? safe(name),
    fromWire: (wire) => names.get(wire) ?? wire,
  };
}
