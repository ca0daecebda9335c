import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { forgetRepair, listRepairs } from '../../../../server/contract/studio/repairs.ts';
import { repairsAgain } from '../../../../server/gaps/estate/repairs.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { call } from '../../../data/api-client.ts';
import { queryClient, routePrefix, routeQuery } from '../../../data/query-client.ts';
import { useDrafts } from '../../../data/studio.ts';
import { notifyError } from '../../../ui/notify.tsx';
import { rich } from '../../../ui/rich.ts';
import type { BatchRow } from '../import-batch-store.ts';
import { estateFiles } from './estate-files.ts';

const SHOWN = 3;

function valuesText(values: Readonly<Record<string, string>>): string {
  return Object.values(values)
    .filter((value) => value !== '' && value.length <= 40)
    .join(', ');
}

/** Repairs of an earlier import that fit drafts of this one, since their files were imported again. */
export function RepairsAgain(props: {
  readonly projectId: string;
  readonly rows: readonly BatchRow[];
}) {
  const { projectId, rows } = props;
  const repairs = useQuery(routeQuery(listRepairs, { params: { project_id: projectId } }));
  const drafts = useDrafts(projectId).data;
  const again = useMemo(() => {
    // A draft that was there before, or was edited since, may hold the edits already.
    const now = new Map(drafts?.map(({ ref, revision }) => [ref, revision]));
    const fresh = rows.filter(
      ({ existed, report, revision }) => !existed && now.get(report.draft ?? '') === revision,
    );
    return repairsAgain(estateFiles(fresh), repairs.data ?? []);
  }, [rows, repairs.data, drafts]);
  const forget = (id: string): void => {
    call(forgetRepair, { params: { project_id: projectId, repair_id: id } })
      .then(() => queryClient.invalidateQueries({ queryKey: routePrefix(listRepairs) }))
      .catch((error) => notifyError(t('The repair was not forgotten'), error));
  };
  return again.slice(0, SHOWN).map(({ repair, files }) => (
    <div className="sw-again" key={repair.id} data-testid="repair-again">
      <span>
        {rich(
          '{b}{value}. You made it in an earlier import of {count, plural, one {# file} other {# files}} of these.',
          {
            b: <strong>{repair.title}</strong>,
            value: valuesText(repair.values) !== '' && `: ${valuesText(repair.values)}`,
            count: files.length,
          },
        )}
      </span>
      <Button
        size="compact-sm"
        onClick={() => navigateTo(paths.repair(projectId, repair.cause, { again: repair.id }))}
        data-testid="repair-again-review"
      >
        {t('Review and make again')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => forget(repair.id)}>
        {t('Forget')}
      </Button>
    </div>
  ));
}
