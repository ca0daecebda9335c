import type { SourceRef } from '../../analysis.ts';
import type { Loss } from '../../graph-ir.ts';
import { listOf, mapOf, textOf, type Value, type ValueMap } from '../../value.ts';

const SHOWN = 3;
const WHOLE: SourceRef = {
  source_id: 'connections',
  source_label: 'connections',
  locator: '$.connections',
};

interface NodeIndex {
  readonly byName: ReadonlyMap<string, SourceRef>;
  readonly nameById: ReadonlyMap<string, string>;
}

function indexOf(nodes: readonly ValueMap[]): NodeIndex {
  const byName = new Map<string, SourceRef>();
  const nameById = new Map<string, string>();
  for (const [index, node] of nodes.entries()) {
    const name = textOf(node.get('name')) ?? '';
    const id = textOf(node.get('id')) ?? '';
    byName.set(name, { source_id: id, source_label: name, locator: `$.nodes[${index}]` });
    nameById.set(id, name);
  }
  return { byName, nameById };
}

/** The name of a node that a connection means: its name, or its id in place of the name. */
function resolve(index: NodeIndex, wanted: string | undefined): string | undefined {
  if (wanted === undefined || index.byName.has(wanted)) return wanted;
  return index.nameById.get(wanted);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `"${name}"`);
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${shown.join(', ')}${more}`;
}

class LinkMender {
  readonly links = new Map<string, Map<string, Value[]>>();
  readonly repairs: Loss[] = [];
  private readonly index: NodeIndex;
  /** Sources that are no node of the file. */
  private readonly unknown: string[] = [];
  private lost: string[] = [];
  private malformed = 0;

  constructor(index: NodeIndex) {
    this.index = index;
  }

  source(key: string, buckets: Value): void {
    this.lost = [];
    this.malformed = 0;
    const name = resolve(this.index, key);
    if (name === undefined) {
      this.unknown.push(key);
      return;
    }
    const byType = this.links.get(name) ?? new Map<string, Value[]>();
    this.links.set(name, byType);
    if (buckets instanceof Map) {
      for (const [type, ports] of buckets) this.bucket(byType, type, ports);
    } else if (buckets !== null) this.malformed += 1;
    this.report(name, key);
  }

  /** One loss for all connections whose source is not in the file. */
  unknownSources(): Loss[] {
    const count = this.unknown.length;
    if (count === 0) return [];
    const shown = listed(this.unknown);
    const detail = `Connections of ${shown} start at ${count === 1 ? 'a node that is' : 'nodes that are'} not in the file and were left out.`;
    return [{ ref: WHOLE, kind: 'source_repaired', detail }];
  }

  private bucket(byType: Map<string, Value[]>, type: string, ports: Value): void {
    if (ports !== null && !Array.isArray(ports)) this.malformed += 1;
    const mended = byType.get(type) ?? [];
    byType.set(type, mended);
    for (const [port, links] of listOf(ports).entries()) {
      if (links !== null && !Array.isArray(links)) this.malformed += 1;
      const kept = this.port(listOf(links));
      const present = mended[port];
      mended[port] = Array.isArray(present) ? [...present, ...kept] : kept;
    }
  }

  private port(links: readonly Value[]): Value[] {
    const kept: Value[] = [];
    for (const link of links) {
      const wanted = link instanceof Map ? textOf(link.get('node')) : textOf(link);
      const target = resolve(this.index, wanted === '' ? undefined : wanted);
      if (wanted === undefined || wanted === '') this.malformed += 1;
      else if (target === undefined) this.lost.push(wanted);
      else if (link instanceof Map && target === wanted) kept.push(link);
      else kept.push(new Map(mapOf(link)).set('node', target));
    }
    return kept;
  }

  private report(name: string, key: string): void {
    const words: string[] = [];
    if (key !== name) words.push('its connections name it by its id');
    if (this.malformed > 0) words.push(`${this.malformed} connection(s) could not be read`);
    if (this.lost.length > 0) {
      words.push(`connections to ${listed(this.lost)} lead to nodes that are not in the file`);
    }
    const ref = this.index.byName.get(name);
    if (words.length === 0 || ref === undefined) return;
    const detail = `Connections of "${name}" were mended: ${words.join('; ')}.`;
    this.repairs.push({ ref, kind: 'source_repaired', detail });
  }
}

/** Drops links that lead nowhere and reads links that name ids (importers 14). */
export function mendLinks(
  connections: Value | undefined,
  nodes: readonly ValueMap[],
): { connections: ValueMap; repairs: Loss[] } {
  const mender = new LinkMender(indexOf(nodes));
  if (connections instanceof Map) {
    for (const [key, buckets] of connections) mender.source(key, buckets);
  } else if (connections !== undefined && connections !== null) {
    const detail = 'The connections of the file could not be read and were left out.';
    mender.repairs.push({ ref: WHOLE, kind: 'source_repaired', detail });
  }
  const repairs = [...mender.repairs, ...mender.unknownSources()];
  return { connections: new Map(mender.links), repairs };
}
