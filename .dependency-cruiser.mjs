// The arrows between rooms. ARCHITECTURE.md says why; scripts/check-boundaries.mjs runs this.

const VOCABULARY = ['server/kernel', 'server/contract'];
const LOGIC = ['server/spec', 'server/importers', 'server/gaps', 'server/engine'];
const FILES = 'server/files';
const ARCHIVES = 'server/archives';
const BUNDLES = 'server/bundles';
const SERVICES_DATA = 'server/services';
const ITEMS = 'server/items';
const EXPRESSIONS = 'server/expressions';
const HANDLERS = 'server/handlers';
const ADAPTERS = [
  'server/http',
  'server/identity',
  'server/store',
  'server/runtime',
  'server/platform-client',
];
const SERVICES = ['server/platform', 'server/studio', 'server/dashboard', 'server/gateway'];
/** What the shell and the window agree on: their channels, the commands that menu and palette are made of, and the texts. */
const BRIDGE = ['preload/desktop-api.ts', 'preload/commands.ts', 'preload/texts'];
const STEPS = [SERVICES_DATA, ITEMS, EXPRESSIONS, HANDLERS];
const SERVER = [
  ...VOCABULARY,
  FILES,
  ARCHIVES,
  BUNDLES,
  ...LOGIC,
  ...STEPS,
  ...ADAPTERS,
  ...SERVICES,
];

/** Room → rooms (or single files) that it may import beside itself. */
export const ARROWS = {
  'server/kernel': [],
  'server/contract': ['server/kernel'],
  // What an editor says of imported flows: their types of steps and the settings of each.
  'server/spec': [...VOCABULARY, SERVICES_DATA, ITEMS],
  'server/importers': [...VOCABULARY, 'server/spec', SERVICES_DATA, ITEMS],
  'server/gaps': [...VOCABULARY, 'server/spec'],
  'server/engine': [...VOCABULARY, 'server/spec', ITEMS],
  [FILES]: ['server/kernel'],
  [ARCHIVES]: ['server/gaps'],
  [SERVICES_DATA]: [...VOCABULARY],
  [ITEMS]: [...VOCABULARY, SERVICES_DATA],
  [EXPRESSIONS]: [
    ...[...VOCABULARY, ITEMS],
    ...['server/store/thread-file.ts', 'server/store/thread-limits.ts'],
  ],
  // Handlers see the interpreter as a port, and how its values and templates are written.
  [HANDLERS]: [
    ...[...VOCABULARY, SERVICES_DATA, ITEMS],
    ...['port', 'compile/split-template.ts'].map((file) => `${EXPRESSIONS}/${file}`),
  ],
  'server/http': [...VOCABULARY],
  'server/identity': [...VOCABULARY, 'server/http'],
  'server/store': [...VOCABULARY, FILES],
  'server/runtime': [...VOCABULARY, FILES, 'server/spec', 'server/engine', ...STEPS],
  [BUNDLES]: [...VOCABULARY, FILES, 'server/spec', 'server/runtime'],
  'server/platform-client': [...VOCABULARY],
  'server/platform': [
    ...VOCABULARY,
    ...[FILES, 'server/spec', 'server/engine', 'server/http', 'server/store', 'server/runtime'],
    BUNDLES,
  ],
  'server/studio': [
    ...VOCABULARY,
    ...['server/spec', 'server/importers', 'server/gaps', 'server/platform-client'],
    ...[FILES, BUNDLES, 'server/http', 'server/store', 'server/identity'],
  ],
  'server/dashboard': [
    ...VOCABULARY,
    ...[FILES, 'server/http', 'server/store', 'server/identity', 'server/platform-client'],
  ],
  'server/gateway': [...VOCABULARY, 'server/http', 'server/store', 'server/identity'],
  'server/host': [...SERVER],
  'server/cli': [...SERVER, 'server/host'],
  main: ['server/kernel', FILES, 'server/host/protocol.ts', ...BRIDGE],
  preload: [],
  renderer: [...VOCABULARY, 'server/spec', 'server/gaps', ARCHIVES, ...BRIDGE],
};

/** Stands in a table of folders for the files beside the folders, which all of them may import. */
const BASE = '.';

function overBase(folders) {
  const rows = Object.entries(folders).map(([folder, allowed]) => [folder, [BASE, ...allowed]]);
  return { [BASE]: [], ...Object.fromEntries(rows) };
}

/**
 * Folders of a room → folders of it that they may import beside themselves: those that stand above
 * them in the table, so that all arrows go one way. Each file stands in a folder of the table.
 */
export const FOLDER_ARROWS = {
  'server/spec': {
    values: [],
    regex: [],
    yaml: ['values'],
    schema: ['values'],
    load: ['values', 'yaml', 'schema'],
    graph: ['schema'],
    compare: ['values', 'schema'],
    rules: ['values', 'regex', 'yaml', 'schema', 'load', 'graph'],
    compile: ['values', 'schema', 'graph', 'rules'],
    reports: ['values', 'yaml', 'schema', 'load', 'rules'],
    edit: ['values', 'yaml', 'schema'],
    merge: ['values', 'yaml', 'schema', 'load', 'compare', 'rules', 'edit'],
    language: ['values', 'yaml', 'schema', 'rules', 'compile', 'reports', 'edit'],
  },
  [EXPRESSIONS]: {
    port: [],
    // It runs inside of the interpreter: nothing of the program is there.
    guest: [],
    compile: ['guest'],
    host: ['port', 'guest', 'compile'],
  },
  'server/platform': overBase({
    lists: [],
    'stored-forms': [],
    audit: ['lists'],
    idempotency: [],
    policies: [],
    probes: [],
    events: [],
    telemetry: [],
    'run-stream': [],
    'run-code': [],
    'run-record': ['lists', 'stored-forms'],
    usage: ['run-record'],
    budgets: [],
    'run-list': ['lists', 'run-record'],
    'stored-states': ['stored-forms', 'events', 'probes', 'telemetry', 'run-record'],
    'run-answers': ['lists', 'run-record', 'run-list', 'stored-states'],
    specs: ['audit', 'policies', 'run-record'],
    skills: ['lists'],
    security: ['audit'],
    legs: [
      ...['idempotency', 'probes', 'run-stream', 'run-record', 'stored-states', 'specs'],
      'budgets',
    ],
    threads: ['probes', 'telemetry', 'run-record', 'legs'],
    queue: ['run-record', 'legs'],
    'human-tasks': ['lists', 'idempotency', 'run-record', 'stored-states', 'legs'],
    runs: [
      ...['lists', 'idempotency', 'run-record', 'stored-states', 'specs', 'legs'],
      ...['queue', 'human-tasks', 'budgets', 'run-code'],
    ],
    'run-reads': [
      ...['lists', 'stored-forms', 'audit', 'run-record', 'stored-states', 'specs', 'runs'],
    ],
    sweeps: ['audit', 'stored-states', 'legs', 'queue', 'human-tasks'],
    http: ['idempotency'],
    service: [
      ...[
        'audit',
        'idempotency',
        'policies',
        'probes',
        'telemetry',
        'run-record',
        'run-list',
        'stored-states',
      ],
      ...['run-answers', 'specs', 'skills', 'security', 'threads', 'legs', 'queue', 'human-tasks'],
      ...[
        'runs',
        'run-reads',
        'sweeps',
        'http',
        'events',
        'run-stream',
        'usage',
        'budgets',
        'run-code',
      ],
    ],
  }),
};

/** What in a table of folders does not go one way. */
export function backArrows(folders) {
  const names = Object.keys(folders);
  return Object.entries(folders).flatMap(([folder, allowed], at) =>
    allowed
      .filter((name) => !names.slice(0, at).includes(name))
      .map((name) => `${folder} names ${name}, which does not stand above it`),
  );
}

/** Lists the parts that all folders of the Run Platform give and get: it names them as types, and stands at its base. */
const PARTS = 'server/platform/deps.ts';

const PURE = [...VOCABULARY, ...LOGIC, SERVICES_DATA, ITEMS, HANDLERS, `${EXPRESSIONS}/guest`];
const TEST = '\\.test\\.tsx?$';

function anyOf(paths) {
  const escaped = paths.map((path) => path.replaceAll('.', '\\.'));
  return `^(?:${escaped.map((path) => (/\.ts$/.test(path) ? `${path}$` : `${path}/`)).join('|')})`;
}

function packages(names) {
  return `(?:^|/)node_modules/(?:${names.join('|')})/`;
}

function arrow([room, allowed]) {
  return {
    name: `arrow: ${room}`,
    comment: `${room} may import ${allowed.join(', ') || 'no other room'} only.`,
    severity: 'error',
    from: { path: `^${room}/`, pathNot: TEST },
    to: {
      path: '^(?:server|main|preload|renderer|test|scripts)/',
      pathNot: anyOf([room, ...allowed]),
    },
  };
}

/** A pattern for the files of a folder, or for those beside all folders. */
export function inFolder(room, folder) {
  return folder === BASE ? `${room}/[^/]+$` : `${room}/${folder}/`;
}

function folderArrow(room, [folder, allowed]) {
  const named = allowed.map((name) => (name === BASE ? 'the files beside the folders' : name));
  return {
    name: `folder arrow: ${room}/${folder}`,
    comment: `${folder} may import ${named.join(', ') || 'no other folder'} of its room only.`,
    severity: 'error',
    from: { path: `^${inFolder(room, folder)}`, pathNot: [TEST, anyOf([PARTS])] },
    to: {
      path: `^${room}/`,
      pathNot: `^(?:${[folder, ...allowed].map((name) => inFolder(room, name)).join('|')})`,
    },
  };
}

const TYPES_OF_PARTS = {
  name: 'parts by type only',
  comment: `${PARTS} names the parts of all folders as types; service/create-deps.ts makes them.`,
  severity: 'error',
  from: { path: anyOf([PARTS]) },
  to: { path: '^server/platform/', dependencyTypesNot: ['type-only'] },
};

const NO_PLATFORM = {
  name: 'no Node in pure rooms and the renderer',
  comment: 'Pure rooms, the archive reader and the renderer run where there is no Node.',
  severity: 'error',
  from: { path: anyOf([...PURE, ARCHIVES, 'renderer']), pathNot: TEST },
  to: { dependencyTypes: ['core'] },
};

/** Package → the rooms that may use it. */
const PACKAGES = [
  ['electron', ['main', 'preload']],
  ['(?:react|react-dom|@mantine|@tanstack|monaco-editor|@xyflow|elkjs)', ['renderer']],
  ['(?:better-sqlite3|kysely)', [...ADAPTERS, ...SERVICES, 'server/host', 'server/cli']],
  ['pg', ['server/store', 'server/runtime']],
  ['(?:fastify|@fastify)', [...ADAPTERS, ...SERVICES]],
];

const forbidden = [
  ...Object.entries(ARROWS).map(arrow),
  ...Object.entries(FOLDER_ARROWS).flatMap(([room, folders]) =>
    Object.entries(folders).map((entry) => folderArrow(room, entry)),
  ),
  TYPES_OF_PARTS,
  NO_PLATFORM,
  ...PACKAGES.map(([name, rooms]) => ({
    name: `package: ${name}`,
    comment: `Only ${rooms.join(', ')} may use it.`,
    severity: 'error',
    from: { path: '^(?:server|main|preload|renderer)/', pathNot: [TEST, anyOf(rooms)] },
    to: { path: packages([name]) },
  })),
  {
    name: 'no way into another feature',
    comment: 'Features of the renderer meet in renderer/app, renderer/data and renderer/ui.',
    severity: 'error',
    from: { path: '^renderer/features/([^/]+)/', pathNot: TEST },
    to: { path: '^renderer/features/', pathNot: '^renderer/features/$1/' },
  },
  {
    name: 'no cycle',
    comment: 'Modules that need one another are one module, or miss a third.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'nothing unresolved',
    comment: 'An import that leads nowhere hides an arrow.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
];

export default {
  forbidden,
  options: {
    // Type-only imports are arrows too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\?(?:worker|url|raw)', '^out/', '^test/fixtures/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};
