// The arrows between rooms. ARCHITECTURE.md says why; scripts/check-boundaries.mjs runs this.

const VOCABULARY = ['server/kernel', 'server/contract'];
const LOGIC = ['server/spec', 'server/importers', 'server/engine'];
const ADAPTERS = ['server/http', 'server/store', 'server/runtime', 'server/platform-client'];
const SERVICES = ['server/platform', 'server/studio', 'server/dashboard', 'server/gateway'];
const SERVER = [...VOCABULARY, ...LOGIC, ...ADAPTERS, ...SERVICES];

/** Room → rooms (or single files) that it may import beside itself. */
export const ARROWS = {
  'server/kernel': [],
  'server/contract': ['server/kernel'],
  'server/spec': [...VOCABULARY],
  'server/importers': [...VOCABULARY, 'server/spec'],
  'server/engine': [...VOCABULARY, 'server/spec'],
  'server/http': [...VOCABULARY],
  'server/store': [...VOCABULARY],
  'server/runtime': [...VOCABULARY, 'server/spec', 'server/engine'],
  'server/platform-client': [...VOCABULARY],
  'server/platform': [
    ...VOCABULARY,
    ...['server/spec', 'server/engine', 'server/http', 'server/store', 'server/runtime'],
  ],
  'server/studio': [
    ...VOCABULARY,
    ...['server/spec', 'server/importers', 'server/http', 'server/store', 'server/platform-client'],
  ],
  'server/dashboard': [...VOCABULARY, 'server/http', 'server/store', 'server/platform-client'],
  'server/gateway': [...VOCABULARY, 'server/http', 'server/store'],
  'server/host': [...SERVER],
  'server/cli': [...SERVER, 'server/host'],
  main: ['server/host/protocol.ts', 'preload/desktop-api.ts'],
  preload: [],
  renderer: [...VOCABULARY, 'server/spec', 'preload/desktop-api.ts'],
};

const PURE = [...VOCABULARY, ...LOGIC];
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

const NO_PLATFORM = {
  name: 'no Node in pure rooms and the renderer',
  comment: 'Pure rooms and the renderer run where there is no Node.',
  severity: 'error',
  from: { path: anyOf([...PURE, 'renderer']), pathNot: TEST },
  to: { dependencyTypes: ['core'] },
};

/** Package → the rooms that may use it. */
const PACKAGES = [
  ['electron', ['main', 'preload']],
  ['(?:react|react-dom|@mantine|@tanstack|monaco-editor|@xyflow|elkjs)', ['renderer']],
  ['(?:better-sqlite3|kysely)', [...ADAPTERS, ...SERVICES, 'server/host', 'server/cli']],
  ['(?:fastify|@fastify)', [...ADAPTERS, ...SERVICES]],
];

const forbidden = [
  ...Object.entries(ARROWS).map(arrow),
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
