import { t } from '../../preload/texts/t.ts';
import './compare-last-success.css';
import { Button } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useState } from 'react';
import { navigateTo } from '../app/navigation.ts';
import { paths } from '../app/paths.ts';
import { lastSuccess } from '../data/last-success.ts';
import { useAction } from '../data/use-action.ts';
import { ErrorState } from './error-state.tsx';

/** Opens the comparison of a failed run with the last one of its workflow that went well. */
export function CompareLastSuccess(props: {
  readonly runId: string;
  readonly size: 'xs' | 'compact-xs';
}) {
  const { runId, size } = props;
  const [why, setWhy] = useState<string>();
  const finding = useAction(async () => {
    setWhy(undefined);
    const found = await lastSuccess(runId);
    if ('runId' in found) {
      navigateTo(paths.compare(found.runId, runId));
    } else {
      setWhy(found.why);
    }
  });
  return (
    <>
      <Button
        size={size}
        variant="default"
        leftSection={<IconArrowsDiff size={14} aria-hidden />}
        loading={finding.busy}
        onClick={() => finding.start()}
        data-testid="compare-success"
      >
        {t('Compare with the last success')}
      </Button>
      {why !== undefined && (
        <p className="sw-compare-none" role="status" data-testid="compare-none">
          {why}
        </p>
      )}
      {finding.error !== undefined && (
        <ErrorState compact title={t('The last success was not looked up')} error={finding.error} />
      )}
    </>
  );
}
