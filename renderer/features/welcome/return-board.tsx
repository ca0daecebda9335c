import {
  IconAlertTriangle,
  IconFileText,
  IconRestore,
  IconStack2,
  IconUserCheck,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { listHumanTasks } from '../../../server/contract/dashboard/human-tasks.ts';
import { listRuns } from '../../../server/contract/dashboard/runs.ts';
import type { Project } from '../../../server/contract/studio/session.ts';
import { hrefOf } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { recentDrafts } from '../../app/recent.ts';
import { fileName } from '../../data/draft-names.ts';
import { routeQuery } from '../../data/query-client.ts';
import { errorInBrief } from '../../data/run-error.ts';
import { runName } from '../../data/run-name.ts';
import { useRunOrigins } from '../../data/use-run-origins.ts';
import { compositionKey, keptCompositions } from '../../desktop/kept-compositions.ts';
import { keptDrafts } from '../../desktop/kept-drafts.ts';
import { shortRunId } from '../../ui/short-id.ts';

const FAILURES = 3;
const DRAFTS = 6;

function Entry(props: {
  readonly to: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly about: string;
}) {
  return (
    <a className="sw-bare sw-choice" href={hrefOf(props.to)}>
      {props.icon}
      <span>
        <strong>{props.title}</strong>
        <span className="sw-faint">{props.about}</span>
      </span>
    </a>
  );
}

/** What needs a person now: recovered text, waiting tasks, the newest failures. */
function useNeeds(nameOf: (id: string) => string | undefined) {
  const tasks = useQuery({ ...routeQuery(listHumanTasks, {}), retry: false });
  const failed = useQuery({
    ...routeQuery(listRuns, { query: { status: 'failed', limit: FAILURES, offset: 0 } }),
    retry: false,
  });
  const rows = failed.data?.rows ?? [];
  const origins = useRunOrigins(rows.map(({ session_id }) => session_id));
  const waiting = tasks.data?.total ?? 0;
  return [
    ...keptDrafts()
      .filter(({ projectId }) => nameOf(projectId) !== undefined)
      .map(({ projectId, ref }) => ({
        key: `kept:${projectId}:${ref}`,
        to: paths.draft(projectId, ref),
        icon: <IconRestore size={20} stroke={1.5} aria-hidden />,
        title: t('Unsaved text of {file}', { file: fileName(ref) }),
        about: t('Kept on this computer, in {name}', { name: nameOf(projectId) }),
      })),
    ...keptCompositions()
      .filter(({ place }) => nameOf(place.projectId) !== undefined)
      .map(({ place, composing }) => ({
        key: `composed:${compositionKey(place)}`,
        to: paths.compose(place.projectId, place),
        icon: <IconStack2 size={20} stroke={1.5} aria-hidden />,
        title: t('Composition of {file}', { file: fileName(composing.base) }),
        about: t('Not frozen yet, in {name}', { name: nameOf(place.projectId) }),
      })),
    ...(waiting === 0
      ? []
      : [
          {
            key: 'tasks',
            to: paths.tasks(),
            icon: <IconUserCheck size={20} stroke={1.5} aria-hidden />,
            title: t(
              '{count, plural, one {# task} other {# tasks}} {count, plural, one {waits} other {wait}} for a person',
              { count: waiting },
            ),
            about: tasks.data?.rows[0]?.request_summary ?? '',
          },
        ]),
    ...rows.map((run) => ({
      key: run.run_id,
      to: paths.run(run.run_id),
      icon: <IconAlertTriangle size={20} stroke={1.5} aria-hidden />,
      title: t('{run} failed {run2}', {
        run: runName(run, origins.get(run.session_id ?? '')),
        run2: shortRunId(run.run_id),
      }),
      about: errorInBrief(run.error_preview) ?? '',
    })),
  ];
}

/** For who comes back: what needs them, and where they were. Nothing on a first start. */
export function ReturnBoard(props: { readonly projects: readonly Project[] }) {
  const names = new Map(props.projects.map(({ id, name }) => [id, name]));
  const needs = useNeeds((id) => names.get(id));
  const drafts = recentDrafts()
    .filter(({ projectId }) => names.has(projectId))
    .slice(0, DRAFTS);
  if (needs.length === 0 && drafts.length === 0) {
    return null;
  }
  return (
    <div className="sw-welcome-columns sw-welcome-return" data-testid="welcome-return">
      <div>
        <h2 className="sw-section-title">{t('Needs you now')}</h2>
        {needs.length === 0 ? (
          <p className="sw-faint">{t('Nothing waits for you.')}</p>
        ) : (
          needs.map(({ key, ...entry }) => <Entry key={key} {...entry} />)
        )}
      </div>
      <div>
        <h2 className="sw-section-title">{t('Recent drafts')}</h2>
        {drafts.map(({ projectId, ref }) => (
          <Entry
            key={`${projectId} ${ref}`}
            to={paths.draft(projectId, ref)}
            icon={<IconFileText size={20} stroke={1.5} aria-hidden />}
            title={fileName(ref)}
            about={names.get(projectId) ?? ''}
          />
        ))}
        {drafts.length === 0 && <p className="sw-faint">{t('None opened yet.')}</p>}
      </div>
    </div>
  );
}
