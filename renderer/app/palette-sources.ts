import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { locale } from '../../preload/texts/language.ts';
import { t } from '../../preload/texts/t.ts';
import { type HumanTaskRow, listHumanTasks } from '../../server/contract/dashboard/human-tasks.ts';
import { listRuns, type RunRow } from '../../server/contract/dashboard/runs.ts';
import type { ConnectionView } from '../../server/contract/gateway/connections.ts';
import type { AuthoredArtifact } from '../../server/contract/studio/artifact-view.ts';
import { listArtifacts } from '../../server/contract/studio/artifacts.ts';
import { type DraftSummary, listDrafts } from '../../server/contract/studio/drafts.ts';
import type { Project } from '../../server/contract/studio/session.ts';
import { connectionStore } from '../data/chosen-connection.ts';
import { useConnections } from '../data/connections.ts';
import { fileName } from '../data/draft-names.ts';
import { type Environments, environmentTitle, useEnvironments } from '../data/environment.ts';
import { routeQuery } from '../data/query-client.ts';
import { errorInBrief } from '../data/run-error.ts';
import { runName } from '../data/run-name.ts';
import { useMe } from '../data/studio.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { shownSections } from '../features/settings/settings-sections.ts';
import { shortRunId } from '../ui/short-id.ts';
import { statusText } from '../ui/status-badge.tsx';
import { chooseConnection } from './choose-connection.ts';
import { chooseEnvironment } from './choose-environment.ts';
import { navigateTo } from './navigation.ts';
import type { PaletteItem } from './palette-filter.ts';
import { paths } from './paths.ts';

/** Projects whose drafts are looked through. */
const MOST_PROJECTS = 20;
/** The newest runs; the same read as the first page of the list. */
const RUNS = 100;
const TASKS = 200;

function projectItem(project: Project): PaletteItem {
  return {
    id: `project:${project.id}`,
    group: t('Projects'),
    title: project.name,
    run: () => navigateTo(paths.project(project.id)),
  };
}

function draftItem(project: Project, draft: DraftSummary): PaletteItem {
  return {
    id: `draft:${project.id}:${draft.ref}`,
    group: t('Drafts'),
    title: fileName(draft.ref),
    detail: `${project.name} · ${draft.ref}`,
    run: () => navigateTo(paths.draft(project.id, draft.ref)),
  };
}

function artifactItem(project: Project, artifact: AuthoredArtifact): PaletteItem {
  const at = new Date(artifact.created_at).toLocaleString(locale());
  return {
    id: `artifact:${artifact.id}`,
    group: t('Artifacts'),
    title: fileName(artifact.base.path),
    detail: t('{name} · artifact of {at}', { name: project.name, at }),
    run: () => navigateTo(paths.artifact(project.id, artifact.id)),
  };
}

function runItem(run: RunRow): PaletteItem {
  const said = errorInBrief(run.error_preview) ?? run.input_preview;
  return {
    id: `run:${run.run_id}`,
    group: t('Runs'),
    title: `${runName(run)} ${shortRunId(run.run_id)}`,
    detail: [statusText(run.status), said].filter((part) => part !== null).join(' · '),
    keywords: [run.run_id, run.workflow_name, run.agent_name],
    run: () => navigateTo(paths.run(run.run_id)),
  };
}

function taskItem(task: HumanTaskRow): PaletteItem {
  return {
    id: `task:${task.continuation_id}`,
    group: t('Tasks'),
    title: task.request_summary,
    detail: `${task.workflow_name} ${shortRunId(task.run_id)}`,
    keywords: [task.run_id, task.workflow_name],
    run: () => navigateTo(paths.task(task.continuation_id)),
  };
}

function environmentItems(environments: Environments | undefined): readonly PaletteItem[] {
  if (environments === undefined || environments.choices.length === 0) {
    return [];
  }
  const { choices, chosen, limited } = environments;
  const itemOf = (name: string | null, label: string, detail: string): PaletteItem => ({
    id: `environment:${name ?? ''}`,
    group: t('Environments'),
    title: t('Switch to {label}', { label }),
    detail: name === (chosen?.name ?? null) ? t('This window shows it') : detail,
    keywords: ['environment', name ?? ''],
    run: () => chooseEnvironment(name),
  });
  return [
    ...(limited ? [] : [itemOf(null, t('the default platform'), t('No environment'))]),
    ...choices.map((choice) =>
      itemOf(choice.name, environmentTitle(choice), choice.production ? t('Production') : ''),
    ),
  ];
}

function connectionItems(connections: readonly ConnectionView[]): readonly PaletteItem[] {
  const itemOf = (id: string | null, name: string, detail: string): PaletteItem => ({
    id: `connection:${id ?? ''}`,
    group: t('Connections'),
    title: t('Connect this window to {name}', { name }),
    detail: connectionStore.get() === id ? t('It is') : detail,
    keywords: ['connection', 'remote'],
    run: () => chooseConnection(id),
  });
  if (connections.length === 0) {
    return [];
  }
  return [
    itemOf(null, t('this computer'), ''),
    ...connections.map(({ id, name, platform, dashboard, studio }) =>
      itemOf(id, name, platform ?? dashboard ?? studio ?? ''),
    ),
  ];
}

/** What a run id looks like: no blank, and a digit, as every random id has one. */
const RUN_ID = /^(?=.*\d)[\w.:-]{12,128}$/;

/** Leads to a run whose whole id was typed, also when it is not among the newest. */
export function runByIdItem(text: string, known: readonly PaletteItem[]): readonly PaletteItem[] {
  const runId = text.trim();
  if (!RUN_ID.test(runId) || known.some(({ id }) => id === `run:${runId}`)) {
    return [];
  }
  return [
    {
      id: `run:${runId}`,
      group: t('Runs'),
      title: t('Go to run {run}', { run: shortRunId(runId) }),
      detail: runId,
      run: () => navigateTo(paths.run(runId)),
    },
  ];
}

const inBrowser = desktopApi() === undefined;
const SETTINGS: readonly PaletteItem[] = shownSections(inBrowser).map(({ id, title, intro }) => ({
  id: `settings:${id}`,
  group: t('Settings'),
  title,
  detail: intro,
  run: () => navigateTo(paths.settings(id)),
}));

/** Everything that the palette can go to beside the commands; read while it is open. */
export function usePaletteSources(open: boolean): readonly PaletteItem[] {
  const me = useMe();
  const projects = me.data?.projects;
  const few = useMemo(() => (projects ?? []).slice(0, MOST_PROJECTS), [projects]);
  const drafts = useQueries({
    queries: few.map(({ id }) => ({
      ...routeQuery(listDrafts, { params: { project_id: id } }),
      enabled: open,
    })),
    combine: (results) =>
      results.flatMap(({ data }, at) => {
        const project = few[at];
        return project === undefined ? [] : (data ?? []).map((draft) => draftItem(project, draft));
      }),
  });
  const artifacts = useQueries({
    queries: few.map(({ id }) => ({
      ...routeQuery(listArtifacts, { params: { project_id: id } }),
      enabled: open,
    })),
    combine: (results) =>
      results.flatMap(({ data }, at) => {
        const project = few[at];
        return project === undefined ? [] : (data ?? []).map((one) => artifactItem(project, one));
      }),
  });
  const runs = useQuery({
    ...routeQuery(listRuns, { query: { limit: RUNS, offset: 0 } }),
    enabled: open,
  });
  const tasks = useQuery({
    ...routeQuery(listHumanTasks, { query: { limit: TASKS } }),
    enabled: open,
  });
  const environments = useEnvironments();
  const connections = useConnections();
  return useMemo(
    () => [
      ...environmentItems(environments),
      ...connectionItems(connections),
      ...drafts,
      ...(runs.data?.rows ?? []).map(runItem),
      ...(tasks.data?.rows ?? []).map(taskItem),
      ...(projects ?? []).map(projectItem),
      ...artifacts,
      ...SETTINGS,
    ],
    [environments, connections, drafts, runs.data, tasks.data, projects, artifacts],
  );
}
