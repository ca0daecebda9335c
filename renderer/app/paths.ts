function encodeRef(ref: string): string {
  return ref.split('/').map(encodeURIComponent).join('/');
}

function withSearch(path: string, search: Readonly<Record<string, string | undefined>>): string {
  const text = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();
  return text === '' ? path : `${path}?${text}`;
}

const project = (id: string): string => `/projects/${encodeURIComponent(id)}`;

/** So many runs are fixed together. */
export const MOST_FIXED = 50;

/** The address of every view; the router in `router.tsx` reads the same shapes. */
export const paths = {
  welcome: () => '/',
  project: (projectId: string) => project(projectId),
  /** `credential` is the secret whose binding is asked for at once. */
  draft: (
    projectId: string,
    ref: string,
    at?: { line?: number; path?: string | undefined; credential?: string },
  ) =>
    withSearch(`${project(projectId)}/drafts/${encodeRef(ref)}`, {
      line: at?.line === undefined ? undefined : String(at.line),
      path: at?.path,
      credential: at?.credential,
    }),
  importBatch: (projectId: string, view?: string) =>
    withSearch(`${project(projectId)}/imports`, { view }),
  /** One answer to a cause that drafts share: those of the latest import, or of the project. */
  repair: (projectId: string, causeId: string, at: { again?: string; scope?: 'project' } = {}) =>
    withSearch(`${project(projectId)}/repairs/${encodeURIComponent(causeId)}`, {
      again: at.again,
      scope: at.scope,
    }),
  /** The map of all imported drafts of a project. */
  estate: (projectId: string, view?: string) =>
    withSearch(`${project(projectId)}/estate`, { view }),
  /** `of` is the draft that the source was imported for again. */
  importResult: (projectId: string, analysisId: string, ref: string, of?: string) =>
    withSearch(`${project(projectId)}/imports/${encodeURIComponent(analysisId)}`, { ref, of }),
  /** `gap` or `source` (an element of the source) is chosen there. */
  gaps: (
    projectId: string,
    analysisId: string,
    at: { ref?: string; artifact?: string; gap?: string; source?: string } = {},
  ) =>
    withSearch(`${project(projectId)}/gaps/${encodeURIComponent(analysisId)}`, {
      ref: at.ref,
      artifact: at.artifact,
      gap: at.gap,
      source: at.source,
    }),
  /** All analyses of a draft, of an artifact or of the project; leads on to one that has gaps open. */
  reviewGaps: (projectId: string, of: { ref?: string; artifact?: string } = {}) =>
    withSearch(`${project(projectId)}/gaps`, { ref: of.ref, artifact: of.artifact }),
  ledger: (projectId: string, analysisId: string, at: { ref?: string; element?: string } = {}) =>
    withSearch(`${project(projectId)}/gaps/${encodeURIComponent(analysisId)}/ledger`, {
      ref: at.ref,
      element: at.element,
    }),
  /** `open` is a dialog of the alias that is shown at once. */
  environments: (projectId: string, at: { alias?: string; open?: 'next' | 'registry' } = {}) =>
    withSearch(`${project(projectId)}/environments`, { alias: at.alias, open: at.open }),
  /** `ref` is the draft whose versions are shown first. */
  artifacts: (projectId: string, ref?: string) =>
    withSearch(`${project(projectId)}/artifacts`, { ref }),
  /** A new artifact of layers: of a base, or of what an artifact was made of. */
  compose: (projectId: string, at: { base?: string | undefined; from?: string | undefined } = {}) =>
    withSearch(`${project(projectId)}/compose`, { base: at.base, from: at.from }),
  /** Two artifacts, or an artifact and a draft; sides as `compare-side.ts` writes them. */
  compareVersions: (projectId: string, left?: string, right?: string) =>
    withSearch(`${project(projectId)}/compare`, { left, right }),
  /** What an artifact was frozen of. */
  composition: (projectId: string, artifactId: string) =>
    `${project(projectId)}/artifacts/${encodeURIComponent(artifactId)}/composition`,
  artifact: (projectId: string, artifactId: string) =>
    `${project(projectId)}/artifacts/${encodeURIComponent(artifactId)}`,
  exposure: (projectId: string) => `${project(projectId)}/exposure`,
  members: (projectId: string) => `${project(projectId)}/members`,
  activity: (projectId: string) => `${project(projectId)}/activity`,
  /** Whether the analyses that an artifact carries are still the latest word. */
  artifactFreshness: (projectId: string, artifactId: string) =>
    `${project(projectId)}/artifacts/${encodeURIComponent(artifactId)}/freshness`,
  freshness: (projectId: string) => `${project(projectId)}/freshness`,
  /** The filter is in the words of `run-filter-model.ts`. */
  runs: (filter: { status?: string; stuck?: '1'; workflow?: string; since?: string } = {}) =>
    withSearch('/runs', filter),
  /** Everything that was said in the runs of a session. */
  session: (sessionId: string) => `/sessions/${encodeURIComponent(sessionId)}`,
  run: (runId: string) => `/runs/${encodeURIComponent(runId)}`,
  /** Failed runs whose spec is mended, and that go on; of more the first {@link MOST_FIXED}. */
  fix: (runs: readonly string[]) =>
    withSearch('/fix', { runs: runs.slice(0, MOST_FIXED).join(',') }),
  /** Find in all drafts of a project. */
  find: (projectId: string) => `${project(projectId)}/find`,
  compare: (a: string, b: string) => withSearch('/compare', { a, b }),
  overview: () => '/operate',
  /** `cause` is the group that is looked at. */
  failures: (at: { since?: string | undefined; cause?: string | undefined } = {}) =>
    withSearch('/operate/failures', at),
  spend: () => '/operate/spend',
  /** `run` is one whose launch is filled in again. */
  launch: (at: { run?: string } = {}) => withSearch('/operate/launch', at),
  administration: () => '/operate/administration',
  health: () => '/operate/health',
  webhooks: () => '/operate/webhooks',
  /** The filters are in the words of `audit-model.ts`. */
  audit: (
    at: Readonly<
      Partial<
        Record<
          'tab' | 'run' | 'since' | 'until' | 'type' | 'who' | 'outcome' | 'environment' | 'words',
          string
        >
      >
    > = {},
  ) => withSearch('/operate/audit', at),
  policies: (environment?: string) => withSearch('/operate/policies', { environment }),
  secrets: () => '/operate/credentials',
  tasks: () => '/tasks',
  settings: (section?: string) => withSearch('/settings', { section }),
  logs: () => '/settings/logs',
  diagnostics: () => '/settings/diagnostics',
  task: (taskId: string) => `/tasks/${encodeURIComponent(taskId)}`,
} as const;

/** The path that a `specwright://` address means; undefined for one that names nothing here. */
export function pathOfDeepLink(address: string): string | undefined {
  const match = /^specwright:\/\/(.+)$/.exec(address);
  const parts = (match?.[1] ?? '').split('/').filter((part) => part !== '');
  const [kind, id, sub, ...rest] = parts.map((part) => decodePart(part));
  if (id === undefined) {
    return undefined;
  }
  if (kind === 'run') {
    return paths.run(id);
  }
  if (kind === 'task') {
    return paths.task(id);
  }
  if (kind === 'project') {
    return sub === 'draft' && rest.length > 0 ? paths.draft(id, rest.join('/')) : paths.project(id);
  }
  return undefined;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export type Place = 'author' | 'operate' | 'runs' | 'tasks' | 'settings';

/** Which place of the activity rail an address belongs to. */
export function placeOf(pathname: string): Place {
  if (['/compare', '/sessions/', '/fix'].some((start) => pathname.startsWith(start))) {
    return 'runs';
  }
  const place = (['operate', 'runs', 'tasks', 'settings'] as const).find((name) =>
    pathname.startsWith(`/${name}`),
  );
  return place ?? 'author';
}

/** The project an address belongs to. */
export function projectOf(pathname: string): string | undefined {
  const match = /^\/projects\/([^/?]+)/.exec(pathname);
  return match?.[1] === undefined ? undefined : decodePart(match[1]);
}

/** The draft an address shows. */
export function draftOf(
  pathname: string,
): { readonly projectId: string; readonly ref: string } | undefined {
  const match = /^\/projects\/([^/?]+)\/drafts\/([^?]+)/.exec(pathname);
  const [, projectId, ref] = match ?? [];
  return projectId === undefined || ref === undefined
    ? undefined
    : { projectId: decodePart(projectId), ref: ref.split('/').map(decodePart).join('/') };
}
