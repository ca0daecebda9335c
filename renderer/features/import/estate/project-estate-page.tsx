import { t } from '../../../../preload/texts/t.ts';
import '../import.css';
import { Button, SegmentedControl } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import type { ProjectEstate } from '../../../../server/contract/studio/estate.ts';
import { runCommand } from '../../../app/commands.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { ListSkeleton, Page } from '../../../ui/page.tsx';
import { estateNames, useProjectEstate } from './estate-queries.ts';
import { EstateCalls, EstateCauses, EstateCredentials } from './estate-view.tsx';

const PARTS = ['calls', 'credentials', 'causes'] as const;
type EstatePart = (typeof PARTS)[number];

function partOf(view: string | undefined): EstatePart {
  return PARTS.find((part) => part === view) ?? 'calls';
}

/** The map of the imported drafts of a project: who runs whom, what they share, what blocks them. */
export function ProjectEstatePage(props: {
  readonly projectId: string;
  readonly view: string | undefined;
}) {
  const { projectId } = props;
  const query = useProjectEstate(projectId);
  if (query.isError) {
    return (
      <Page title={t('Map of the imports')} testId="project-estate">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Page>
    );
  }
  if (query.data === undefined) {
    return (
      <Page title={t('Map of the imports')} testId="project-estate">
        <ListSkeleton rows={8} />
      </Page>
    );
  }
  return query.data.drafts.length === 0 ? (
    <NoImports />
  ) : (
    <EstatePage projectId={projectId} estate={query.data} part={partOf(props.view)} />
  );
}

function NoImports() {
  return (
    <Page title={t('Map of the imports')} testId="project-estate">
      <EmptyState
        icon={<IconFileImport size={36} stroke={1.25} aria-hidden />}
        title={t('No draft of this project was imported')}
        actions={
          <Button variant="default" onClick={() => runCommand('file.import')}>
            {t('Import a workflow')}
          </Button>
        }
      >
        {t(
          'The map shows which imported workflows run which, what they sign in with, and which one answer frees most of them.',
        )}
      </EmptyState>
    </Page>
  );
}

function subtitle({ drafts, unread }: ProjectEstate): string {
  const older = drafts.filter(({ has_facts }) => !has_facts).length;
  const notes = [
    older > 0 && t('{older} imported before calls and credentials were remembered', { older }),
    unread.length > 0 &&
      t('{count} whose analysis cannot be read any more', { count: unread.length }),
  ].filter((note) => note !== false);
  const whole = t('{count, plural, one {# imported draft} other {# imported drafts}}', {
    count: drafts.length,
  });
  return notes.length === 0 ? whole : `${whole}; ${notes.join(', ')}`;
}

function EstatePage(props: {
  readonly projectId: string;
  readonly estate: ProjectEstate;
  readonly part: EstatePart;
}) {
  const { projectId, estate, part } = props;
  const names = useMemo(() => estateNames(estate.drafts), [estate]);
  const nameOf = useCallback((ref: string) => names.get(ref) ?? ref, [names]);
  const repairPath = useCallback(
    (cause: string) => paths.repair(projectId, cause, { scope: 'project' }),
    [projectId],
  );
  const open = (ref: string): void => navigateTo(paths.draft(projectId, ref));
  const shared = estate.credentials.filter(({ files }) => files.length > 1).length;
  return (
    <Page title={t('Map of the imports')} sub={subtitle(estate)} flush testId="project-estate">
      <div className="sw-batch">
        <div className="sw-batch-views">
          <SegmentedControl
            size="xs"
            aria-label={t('View of the map')}
            value={part}
            onChange={(view) => navigateTo(paths.estate(projectId, view), { replace: true })}
            data={[
              { value: 'calls', label: t('Who runs whom {count}', { count: estate.calls.length }) },
              { value: 'credentials', label: t('Shared credentials {shared}', { shared }) },
              { value: 'causes', label: t('Causes {count}', { count: estate.causes.length }) },
            ]}
            data-testid="estate-views"
          />
        </div>
        {part === 'calls' && <EstateCalls estate={estate} nameOf={nameOf} onOpen={open} />}
        {part === 'credentials' && (
          <EstateCredentials estate={estate} nameOf={nameOf} onOpen={open} />
        )}
        {part === 'causes' && <EstateCauses estate={estate} repairPath={repairPath} />}
      </div>
    </Page>
  );
}
