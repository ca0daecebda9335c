import { Button } from '@mantine/core';
import { IconPlus, IconStack2 } from '@tabler/icons-react';
import { type ComponentType, type KeyboardEvent, Suspense, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { useMayEdit } from '../../data/studio.ts';
import { useAction } from '../../data/use-action.ts';
import { notifyError } from '../../ui/notify.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { renewArtifact } from './renew-artifact.ts';
import {
  type DraftVersionRow,
  isSameContent,
  layersText,
  type VersionGroup,
} from './version-groups.ts';

/** What a version changes in the one before. */
export type DifferenceView = ComponentType<{
  readonly artifact: AuthoredArtifact;
  readonly before: AuthoredArtifact;
}>;

/** How many versions of a draft are shown, and compared, at first. */
const SHOWN = 5;

/** A draft with its versions, newest first. */
export function VersionList(props: {
  readonly projectId: string;
  readonly group: VersionGroup;
  readonly open: boolean;
  readonly difference: DifferenceView;
}) {
  const { projectId, group } = props;
  const [open, setOpen] = useState(props.open);
  const [all, setAll] = useState(false);
  const rows = all ? group.rows : group.rows.slice(0, SHOWN);
  const name = fileName(group.ref);
  return (
    <section
      className="sw-versions"
      aria-label={t('Versions of {ref}', { ref: group.ref })}
      data-testid={`versions-${group.ref}`}
    >
      <header>
        <h2 className="sw-section-title">
          <AppLink to={paths.draft(projectId, group.ref)}>{name}</AppLink>
        </h2>
        <button
          type="button"
          className="sw-bare sw-link"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t('{count, plural, one {# version} other {# versions}}', { count: group.rows.length })}
        </button>
        <NewVersion projectId={projectId} group={group} />
      </header>
      {open && (
        <table className="sw-table" aria-label={t('Versions of {name}', { name })}>
          <colgroup>
            <col style={{ width: 130 }} />
            <col data-room="wide" style={{ width: 100 }} />
            <col data-room="wide" style={{ width: 110 }} />
            <col data-room="middle" style={{ width: 175 }} />
            <col style={{ width: 150 }} />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">{t('Created')}</th>
              <th scope="col" data-room="wide">
                {t('Revision')}
              </th>
              <th scope="col" data-room="wide">
                {t('Alias')}
              </th>
              <th scope="col" data-room="middle">
                {t('Layers')}
              </th>
              <th scope="col">{t('Source analysis')}</th>
              <th scope="col">{t('Changes to the version before')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <VersionRow key={row.artifact.id} row={row} difference={props.difference} />
            ))}
          </tbody>
        </table>
      )}
      {open && rows.length < group.rows.length && (
        <Button size="compact-xs" variant="subtle" mt={4} onClick={() => setAll(true)}>
          {t('Show all {count}', { count: group.rows.length })}
        </Button>
      )}
    </section>
  );
}

function moveFocus(event: KeyboardEvent<HTMLTableRowElement>): void {
  const row = event.currentTarget;
  const down = event.key === 'ArrowDown' || event.key === 'j';
  const up = event.key === 'ArrowUp' || event.key === 'k';
  const next = down ? row.nextElementSibling : up ? row.previousElementSibling : null;
  if (next instanceof HTMLElement) {
    event.preventDefault();
    next.focus();
  }
}

function VersionRow(props: { readonly row: DraftVersionRow; readonly difference: DifferenceView }) {
  const { artifact, before } = props.row;
  const open = (): void => navigateTo(paths.artifact(artifact.project_id, artifact.id));
  const gaps =
    artifact.unresolved_blocking_gaps.length + artifact.unacknowledged_manual_gaps.length;
  return (
    <tr
      tabIndex={0}
      data-clickable
      data-testid={`row-${artifact.id}`}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a, button') === null) open();
      }}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        if (event.key === 'Enter') open();
        else moveFocus(event);
      }}
    >
      <td>
        <AppLink to={paths.artifact(artifact.project_id, artifact.id)}>
          <TimeAgo at={artifact.created_at} />
        </AppLink>
      </td>
      <td className="sw-mono" data-room="wide">
        {artifact.revision.slice(0, 8)}
      </td>
      <td data-room="wide">{artifact.alias}</td>
      <td data-room="middle">{layersText(artifact)}</td>
      <td>
        <StatusBadge status={artifact.source_analysis_state} />
        {gaps > 0 && (
          <span className="sw-faint">
            {' '}
            {t('{count, plural, one {# open gap} other {# open gaps}}', { count: gaps })}
          </span>
        )}
      </td>
      <td>
        <Change {...props} artifact={artifact} before={before} />
      </td>
    </tr>
  );
}

function Change(props: {
  readonly artifact: AuthoredArtifact;
  readonly before: AuthoredArtifact | undefined;
  readonly difference: DifferenceView;
}) {
  const { artifact, before, difference: Difference } = props;
  if (before === undefined) return <span className="sw-faint">{t('The first one')}</span>;
  if (isSameContent(artifact, before))
    return <span className="sw-faint">{t('The same content')}</span>;
  return (
    <Suspense fallback={<span className="sw-faint">{t('Comparing…')}</span>}>
      <Difference artifact={artifact} before={before} />
    </Suspense>
  );
}

function NewVersion(props: { readonly projectId: string; readonly group: VersionGroup }) {
  const { projectId, group } = props;
  const mayEdit = useMayEdit(projectId);
  const [newest] = group.rows;
  const renewing = useAction(async () => {
    if (newest === undefined) return;
    await renewArtifact(newest.artifact, false).catch((error) =>
      notifyError(t('No new version was created'), error),
    );
  });
  if (newest === undefined) return null;
  const why = mayEdit ? undefined : t('Your role in this project makes no artifacts');
  return (
    <span className="sw-version-actions">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} />}
        loading={renewing.busy}
        disabled={!mayEdit}
        title={
          why ??
          t('Freezes the draft as it is now, with the overlays and overrides of the newest version')
        }
        onClick={() => renewing.start()}
        data-testid={`new-version-${group.ref}`}
      >
        {t('New version')}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconStack2 size={14} />}
        disabled={!mayEdit}
        title={why}
        onClick={() => navigateTo(paths.compose(projectId, { from: newest.artifact.id }))}
      >
        {t('Compose…')}
      </Button>
    </span>
  );
}
