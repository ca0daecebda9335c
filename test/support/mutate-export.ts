// Damage that people and scripts do to n8n exports, as small steps that a seed chooses.

type Data = Record<string, unknown>;

/** One step of damage: which one, and numbers that choose where. */
export type Damage = readonly [kind: number, a: number, b: number, c: number];

interface Link {
  readonly ports: unknown[];
  readonly port: number;
  readonly index: number;
}

interface Export {
  readonly root: Data;
  /** The list of nodes as it stands, and the nodes in it. */
  readonly list: unknown[];
  readonly nodes: readonly Data[];
  readonly connections: Data;
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pick<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)];
}

const TYPES = [
  ...[
    'if switch switch filter set merge wait splitInBatches noOp respondToWebhook stopAndError slack',
    'code httpRequest executeWorkflow form manualTrigger webhook stickyNote executionData',
  ].flatMap((line) => line.split(' ').map((name) => `n8n-nodes-base.${name}`)),
  ...[
    'agent chainLlm textClassifier sentimentAnalysis openAi toolWorkflow toolCode lmChatOpenAi',
    'memoryBufferWindow outputParserStructured vectorStoreInMemory chat agentTool',
  ].flatMap((line) => line.split(' ').map((name) => `@n8n/n8n-nodes-langchain.${name}`)),
  'some-package.thing',
];

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  '=',
  '={{ $json.x }}',
  '{{ broken',
  '__proto__',
  'x'.repeat(3000),
  [],
  [[]],
  {},
  { nodes: [] },
];

/** A value that no one expects, new each time so that later damage stays where it is done. */
function oddValue(number: number): unknown {
  return structuredClone(pick(ODD, number));
}

const FIELDS = [
  'id',
  'name',
  'type',
  'typeVersion',
  'parameters',
  'disabled',
  'onError',
  'continueOnFail',
  'retryOnFail',
  'credentials',
  'position',
];
const KINDS = [
  'main',
  'main',
  'main',
  'ai_tool',
  'ai_languageModel',
  'ai_memory',
  'ai_outputParser',
];

function linksOf({ connections }: Export): Link[] {
  const out: Link[] = [];
  for (const buckets of Object.values(connections)) {
    const main = isData(buckets) ? buckets['main'] : undefined;
    if (!Array.isArray(main)) continue;
    for (const [port, links] of main.entries()) {
      if (!Array.isArray(links)) continue;
      for (const index of links.keys()) out.push({ ports: main, port, index });
    }
  }
  return out;
}

function portOf(ports: unknown[], port: number): unknown[] {
  while (ports.length <= port) ports.push([]);
  const list = ports[port];
  if (Array.isArray(list)) return list;
  const made: unknown[] = [];
  ports[port] = made;
  return made;
}

function namesOf({ nodes }: Export): string[] {
  return nodes.map((node) => node['name']).filter((name) => typeof name === 'string');
}

function addLink(made: Export, from: number, to: number, port: number, type: string): void {
  const names = namesOf(made);
  const source = pick(names, from);
  const target = pick(names, to);
  if (source === undefined || target === undefined || source === '__proto__') return;
  const buckets = made.connections[source];
  const own = isData(buckets) ? buckets : {};
  made.connections[source] = own;
  const ports = own[type];
  const list = Array.isArray(ports) ? ports : [];
  own[type] = list;
  portOf(list, port).push({ node: target, type, index: 0 });
}

/** Every place of the parameters of a node that holds a value. */
function places(value: unknown, out: [Data | unknown[], string | number][] = []): typeof out {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      out.push([value, index]);
      places(item, out);
    }
  } else if (isData(value)) {
    for (const [key, item] of Object.entries(value)) {
      out.push([value, key]);
      places(item, out);
    }
  }
  return out;
}

function write(holder: Data | unknown[], key: string | number, value: unknown): void {
  if (key === '__proto__') return;
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
}

function read(holder: Data | unknown[], key: string | number): unknown {
  return Array.isArray(holder) ? holder[Number(key)] : holder[key];
}

type Step = (made: Export, a: number, b: number, c: number) => void;

const removeLink: Step = (made, a) => {
  const link = pick(linksOf(made), a);
  if (link !== undefined) portOf(link.ports, link.port).splice(link.index, 1);
};

const copyLink: Step = (made, a, b) => {
  const link = pick(linksOf(made), a);
  const value = link && portOf(link.ports, link.port)[link.index];
  if (link !== undefined) portOf(link.ports, b % 4).push(value);
};

const turnLink: Step = (made, a, b) => {
  const link = pick(linksOf(made), a);
  const target = pick(namesOf(made), b);
  if (link === undefined || target === undefined) return;
  portOf(link.ports, link.port)[link.index] = { node: target, type: 'main', index: 0 };
};

const moveLink: Step = (made, a, b) => {
  const link = pick(linksOf(made), a);
  if (link === undefined) return;
  const [moved] = portOf(link.ports, link.port).splice(link.index, 1);
  portOf(link.ports, b % 4).push(moved);
};

const swapPorts: Step = (made, a, b) => {
  const link = pick(linksOf(made), a);
  if (link === undefined) return;
  const other = b % Math.max(1, link.ports.length);
  const kept = link.ports[link.port];
  link.ports[link.port] = link.ports[other];
  link.ports[other] = kept;
};

const breakLink: Step = (made, a, b) => {
  const link = pick(linksOf(made), a);
  if (link === undefined) return;
  if (b % 2 === 0) portOf(link.ports, link.port)[link.index] = oddValue(b);
  else link.ports[link.port] = oddValue(b);
};

const setField: Step = ({ nodes }, a, b, c) => {
  const node = pick(nodes, a);
  const field = pick(FIELDS, b);
  if (node === undefined || field === undefined) return;
  if (c % 3 === 0) delete node[field];
  else node[field] = oddValue(c);
};

const setParameter: Step = ({ nodes }, a, b, c) => {
  const place = pick(places(pick(nodes, a)?.['parameters']), b);
  if (place === undefined) return;
  const [holder, key] = place;
  if (c % 4 === 0 && !Array.isArray(holder)) delete holder[key];
  else write(holder, key, c % 4 === 1 ? { inner: [oddValue(c)] } : oddValue(c));
};

const mixParameters: Step = ({ nodes }, a, b) => {
  const from = pick(nodes, b)?.['parameters'];
  const node = pick(nodes, a);
  if (node !== undefined && isData(from)) node['parameters'] = structuredClone(from);
};

const setState: Step = ({ nodes }, a, b) => {
  const node = pick(nodes, a);
  if (node === undefined) return;
  const states = [
    { disabled: true },
    { onError: 'continueErrorOutput' },
    { onError: 'continueRegularOutput' },
    { typeVersion: pick([1, 1.2, 2, 2.2, 3, 3.2, 9], b) },
  ];
  Object.assign(node, pick(states, b));
};

const STEPS: readonly Step[] = [
  removeLink,
  copyLink,
  copyLink,
  turnLink,
  turnLink,
  moveLink,
  swapPorts,
  breakLink,
  (made, a, b, c) => addLink(made, a, b, c % 4, pick(KINDS, c) ?? 'main'),
  (made, a, b, c) => addLink(made, a, b, c % 3, 'main'),
  (made, a, b, c) => addLink(made, a, b, c % 2, 'main'),
  setField,
  setParameter,
  mixParameters,
  setState,
  setState,
  ({ nodes }, a, b) => {
    const node = pick(nodes, a);
    if (node !== undefined) node['type'] = pick(TYPES, b);
  },
  ({ nodes }, a, b) => {
    const node = pick(nodes, a);
    if (node !== undefined) node['type'] = pick(TYPES.slice(0, 4), b);
  },
  ({ list }, a) => {
    list.splice(a % Math.max(1, list.length), 1);
  },
  ({ list }, a, b) => {
    if (b % 4 === 0 && list.length > 0) list[a % list.length] = oddValue(b);
  },
  ({ nodes, list }, a, b) => {
    const node = pick(nodes, a);
    if (node !== undefined)
      list.push({ ...structuredClone(node), ...(b % 2 ? { id: `c${b}` } : {}) });
  },
  ({ nodes }, a, b) => {
    const node = pick(nodes, a);
    if (node !== undefined) node['name'] = `renamed ${b}`;
  },
  ({ root }, a) => {
    if (a % 5 === 0) root['connections'] = oddValue(a);
  },
];

/** The text of an export after some damage. */
export function damaged(text: string, steps: readonly Damage[]): string {
  const root: unknown = JSON.parse(text);
  if (!isData(root)) return text;
  for (const [kind, a, b, c] of steps) {
    const nodes = root['nodes'];
    const connections = root['connections'];
    if (!Array.isArray(nodes) || !isData(connections)) break;
    pick(STEPS, kind)?.({ root, list: nodes, nodes: nodes.filter(isData), connections }, a, b, c);
  }
  return JSON.stringify(root);
}

/** The text of any JSON document after some damage to its values. */
export function damagedData(text: string, steps: readonly Damage[]): string {
  const root: unknown = JSON.parse(text);
  for (const [kind, a, b, c] of steps) {
    const place = pick(places(root), a);
    const other = pick(places(root), b);
    if (place === undefined || other === undefined) break;
    const [holder, key] = place;
    const [from, name] = other;
    if (kind % 4 === 0 && !Array.isArray(holder)) delete holder[key];
    else if (kind % 4 === 1 && Array.isArray(holder)) holder.splice(Number(key), 1);
    else if (kind % 4 === 2) write(holder, key, structuredClone(read(from, name)));
    else write(holder, key, oddValue(c));
  }
  return JSON.stringify(root);
}
