import { t } from '../../../../preload/texts/t.ts';
import { rich } from '../../../ui/rich.ts';
import '../../../ui/rows.css';
import { Button } from '@mantine/core';
import type { AnalysisEntry } from '../../../../server/contract/studio/analysis-entries.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { useRoleHindrance } from '../../../data/studio.ts';
import { Badge, StatusBadge } from '../../../ui/status-badge.tsx';
import { reimportStore } from '../../../workbench/reimport-request.ts';
import { ImportOf, openText } from './analysis-words.tsx';
import { isReadable, openCount, type Trouble, troubleOf } from './review-model.ts';

/** The gaps of an analysis under the draft and the artifact that it was met with. */
export function gapsOf(projectId: string, entry: AnalysisEntry, artifactId?: string): string {
  return paths.gaps(projectId, entry.analysis_id, {
    ref: entry.ref,
    ...(artifactId === undefined ? {} : { artifact: artifactId }),
  });
}

/** Every analysis with its importer, its time, what is open, and what stands in the way. */
export function AnalysisList(props: {
  readonly projectId: string;
  readonly entries: readonly AnalysisEntry[];
  readonly artifactId: string | undefined;
}) {
  return (
    <ul className="sw-rows" aria-label={t('Imports')} data-testid="analysis-list">
      {props.entries.map((entry) => (
        <AnalysisRow
          key={`${entry.ref} ${entry.analysis_id}`}
          projectId={props.projectId}
          entry={entry}
          artifactId={props.artifactId}
        />
      ))}
    </ul>
  );
}

function AnalysisRow(props: {
  readonly projectId: string;
  readonly entry: AnalysisEntry;
  readonly artifactId: string | undefined;
}) {
  const { projectId, entry } = props;
  const trouble = troubleOf(entry);
  const open = openCount(entry) > 0;
  return (
    <li data-testid="analysis-row" data-analysis={entry.analysis_id}>
      <div className="sw-row-name">
        <span className="sw-row-state">
          <AppLink to={paths.draft(projectId, entry.ref)}>{entry.ref}</AppLink>
          {entry.open_blocking > 0 && (
            <StatusBadge status="blocking">{openText(entry)}</StatusBadge>
          )}
          {entry.open_blocking === 0 && entry.open_manual > 0 && (
            <StatusBadge status="manual">{openText(entry)}</StatusBadge>
          )}
          {!open && <StatusBadge status="clear">{t('nothing open')}</StatusBadge>}
          {entry.state === 'quarantined' && <Badge tone="danger">{t('damaged')}</Badge>}
          {entry.record === 'reclaimed' && <Badge tone="warning">{t('details dropped')}</Badge>}
          {entry.superseded_by !== null && <Badge>{t('replaced')}</Badge>}
        </span>
        <span className="sw-faint">
          {rich('{importOf} · analyzer {analyzer_version}{value}', {
            importOf: <ImportOf entry={entry} />,
            analyzer_version: entry.analyzer_version,
            value: entry.analyzer_age !== 'current' && ` (${entry.analyzer_age})`,
          })}
        </span>
        {trouble !== undefined && <span className="sw-faint">{trouble.text}</span>}
      </div>
      <div className="sw-row-state">
        {trouble !== undefined && (
          <TroubleWay projectId={projectId} entry={entry} way={trouble.way} />
        )}
        {isReadable(entry) && (
          <Button
            size="xs"
            variant={open ? 'filled' : 'default'}
            onClick={() => navigateTo(gapsOf(projectId, entry, props.artifactId))}
            data-testid="review-gaps"
          >
            {open ? t('Review gaps') : t('Look at it')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** The one thing that removes what stands in the way. */
export function TroubleWay(props: {
  readonly projectId: string;
  readonly entry: AnalysisEntry;
  readonly way: Trouble['way'];
}) {
  const { projectId, entry, way } = props;
  const hindrance = useRoleHindrance(projectId, 'editor');
  if (way === 'import_again') {
    return (
      <Button
        size="xs"
        disabled={hindrance !== undefined}
        title={hindrance}
        onClick={() =>
          reimportStore.set({
            projectId,
            ref: entry.ref,
            source: entry.source,
            conversion: entry.conversion,
            sourceSha256: entry.source_sha256,
          })
        }
        data-testid="import-again"
      >
        {t('Import again…')}
      </Button>
    );
  }
  const { superseded_by } = entry;
  if (way === 'open_successor' && superseded_by !== null) {
    return (
      <Button
        size="xs"
        variant="default"
        onClick={() => navigateTo(paths.gaps(projectId, superseded_by, { ref: entry.ref }))}
        data-testid="open-successor"
      >
        {t('Open the later one')}
      </Button>
    );
  }
  if (way === 'find_file') {
    return (
      <Button
        size="xs"
        variant="default"
        onClick={() => navigateTo(paths.project(projectId))}
        data-testid="find-file"
      >
        {t('Show the files')}
      </Button>
    );
  }
  return null;
}
