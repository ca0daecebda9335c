import './checkpoints.css';
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CheckpointRow, getCheckpointDiff } from '../../../server/contract/dashboard/runs.ts';
import { routeQuery } from '../../data/query-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { type DiffLine, diffLines, previousOf } from './checkpoint-model.ts';

/** The saved states of a run in order; choosing one shows what changed since the one before. */
export function CheckpointsPanel(props: {
  readonly runId: string;
  readonly checkpoints: readonly CheckpointRow[];
}) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { checkpoints } = props;
  const before = chosen === null ? null : previousOf(checkpoints, chosen);
  if (checkpoints.length === 0) {
    return <EmptyState compact title="No checkpoints yet" />;
  }
  return (
    <div data-testid="checkpoints">
      <ol className="sw-checkpoints">
        {checkpoints.map((row) => (
          <li key={row.sequence}>
            <button
              type="button"
              aria-pressed={chosen === row.sequence}
              onClick={() => setChosen(chosen === row.sequence ? null : row.sequence)}
            >
              <span className="sw-mono sw-faint">{row.sequence}</span>
              <span>{row.type.replaceAll('_', ' ')}</span>
              <strong>{row.node}</strong>
              <span className="sw-faint">{row.age} ago</span>
            </button>
          </li>
        ))}
      </ol>
      {chosen !== null && before === null && (
        <p className="sw-faint">The first saved state; there is nothing before it.</p>
      )}
      {chosen !== null && before !== null && (
        <Diff runId={props.runId} from={before.sequence} to={chosen} />
      )}
    </div>
  );
}

function Diff(props: { readonly runId: string; readonly from: number; readonly to: number }) {
  const [noise, setNoise] = useState(false);
  const diff = useQuery({
    ...routeQuery(getCheckpointDiff, {
      params: { run_id: props.runId },
      query: { from_sequence: props.from, to_sequence: props.to },
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (diff.isPending) {
    return <ListSkeleton rows={3} />;
  }
  if (diff.isError) {
    return <ErrorState compact error={diff.error} onRetry={() => void diff.refetch()} />;
  }
  const all = diffLines(diff.data);
  const shown = noise ? all : all.filter((line) => !line.noise);
  return (
    <section aria-label={`Changes from ${props.from} to ${props.to}`} data-testid="diff">
      <header className="sw-diff-head">
        <span>
          {props.from} → {props.to}: {diff.data.change_count} changes
        </span>
        {diff.data.truncated && (
          <Badge tone="warning">Only the first {all.length} are listed</Badge>
        )}
        <Switch
          size="xs"
          label="Bookkeeping"
          checked={noise}
          onChange={(event) => setNoise(event.currentTarget.checked)}
        />
      </header>
      {shown.length === 0 && <p className="sw-faint">Only bookkeeping changed.</p>}
      <dl className="sw-diff">
        {shown.map((line) => (
          <Line key={`${line.change} ${line.key}`} line={line} />
        ))}
      </dl>
    </section>
  );
}

function Line(props: { readonly line: DiffLine }) {
  const { line } = props;
  return (
    <>
      <dt className="sw-mono">
        {line.key} <span className="sw-visually-hidden">{line.change}</span>
      </dt>
      <dd>
        {line.before !== null && <del>{line.before}</del>}
        {line.after !== null && <ins>{line.after}</ins>}
      </dd>
    </>
  );
}
