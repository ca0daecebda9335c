const AGENTS = /(?:^|\/)agents\.ya?ml$/i;
const PLAIN_FOLDERS: ReadonlySet<string> = new Set(['config', 'src', '.']);

/** The two files of a CrewAI project that say who does what. */
export interface CrewFiles {
  readonly agents: string;
  readonly tasks: string;
  /** What both are called together: after the folder of the project. */
  readonly path: string;
}

function pathOf(folder: string): string {
  const names = folder.split('/').filter((name) => name !== '');
  const own = names.findLast((name) => !PLAIN_FOLDERS.has(name)) ?? 'crew';
  return [...names, `${own}.yaml`].join('/');
}

/** Files `agents.yaml` and `tasks.yaml` that stand beside each other, by the path of the first. */
export function findCrews(paths: readonly string[]): ReadonlyMap<string, CrewFiles> {
  const byLower = new Map(paths.map((path) => [path.toLowerCase(), path]));
  const crews = new Map<string, CrewFiles>();
  for (const agents of paths) {
    if (!AGENTS.test(agents)) continue;
    const folder = agents.slice(0, agents.lastIndexOf('/') + 1);
    const tasks = ['tasks.yaml', 'tasks.yml']
      .map((name) => byLower.get(`${folder}${name}`.toLowerCase()))
      .find((path) => path !== undefined);
    if (tasks !== undefined) crews.set(agents, { agents, tasks, path: pathOf(folder) });
  }
  return crews;
}

/** Both files as one source. */
export function joinCrew(agents: string, tasks: string): string {
  return `${agents}${agents.endsWith('\n') ? '' : '\n'}---\n${tasks}`;
}
