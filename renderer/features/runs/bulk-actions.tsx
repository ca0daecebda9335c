import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { isTerminalStatus } from '../../../server/contract/platform/run-status.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useLack } from '../../data/connections.ts';
import { useHindrance } from '../../data/operator.ts';
import { runName } from '../../data/run-name.ts';
import type { RunOrigins } from '../../data/use-run-origins.ts';
import { BulkDialog, type BulkJob } from '../../ui/bulk-dialog.tsx';
import { bulkItem } from '../../ui/bulk-item.ts';
import type { BulkItem } from '../../ui/bulk-work.ts';
import { againJob, continueJob, stopJob } from '../../ui/run-jobs.ts';
import { canStop } from './run-model.ts';
import { runChanged } from './run-queries.ts';

/** Runs that may go on from where they stopped; the platform knows which do. */
function mayContinue({ status }: RunRow): boolean {
  return status === 'failed' || status === 'blocked';
}

const JOBS = [
  { name: 'stop', label: t('Stop'), takes: canStop, jobOf: stopJob },
  { name: 'continue', label: t('Continue'), takes: mayContinue, jobOf: continueJob },
  {
    name: 'again',
    label: t('Run again'),
    takes: ({ status }: RunRow) => isTerminalStatus(status),
    jobOf: againJob,
  },
] as const;

/** What can be done with the selected runs at once. */
export function BulkActions(props: {
  readonly runs: readonly RunRow[];
  readonly origins: RunOrigins;
  /** The runs that stay selected. */
  readonly onKeep: (rest: readonly string[]) => void;
}) {
  const hindrance = useHindrance('run.control');
  const lacks = { stop: useLack('stop'), continue: useLack('continue'), again: useLack('rerun') };
  const [job, setJob] = useState<BulkJob<BulkItem> | null>(null);
  const [first, second] = props.runs;
  return (
    <span className="sw-run-buttons" data-testid="bulk">
      <span>{t('{count} selected', { count: props.runs.length })}</span>
      {JOBS.map(({ name, label, takes, jobOf }) => {
        const taken = props.runs.filter(takes);
        const items = taken.map((run) =>
          bulkItem(run, runName(run, props.origins.get(run.session_id ?? ''))),
        );
        return (
          taken.length > 0 && (
            <Button
              key={name}
              size="compact-xs"
              variant="default"
              disabled={(lacks[name] ?? hindrance) !== undefined}
              title={lacks[name] ?? hindrance}
              onClick={() => setJob(jobOf(items))}
              data-testid={`bulk-${name}`}
            >
              {label} {taken.length}…
            </Button>
          )
        );
      })}
      {first !== undefined && second !== undefined && props.runs.length === 2 && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => navigateTo(paths.compare(first.run_id, second.run_id))}
          data-testid="compare"
        >
          {t('Compare')}
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" onClick={() => props.onKeep([])}>
        {t('Clear selection')}
      </Button>
      {job !== null && (
        <BulkDialog
          job={job}
          onPass={runChanged}
          onClose={(rest) => {
            const begun = new Set(job.items.map(({ id }) => id));
            const others = props.runs.map(({ run_id }) => run_id).filter((id) => !begun.has(id));
            props.onKeep([...others, ...rest]);
            setJob(null);
          }}
        />
      )}
    </span>
  );
}
