import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { getCheckpointDiff } from '../../../server/contract/dashboard/runs.ts';
import { routeQuery } from '../../data/query-client.ts';
import { checkpointWords } from '../../ui/checkpoint-words.ts';
import { Badge } from '../../ui/status-badge.tsx';
import { Unread } from '../../ui/unread.tsx';
import {
  type DiffLine,
  diffLines,
  neighbourState,
  type SavedState,
  shownLines,
} from './checkpoint-model.ts';

const LONG_LIST = 12;

/** What changed up to a saved state, since the one before it or any other. */
export function CheckpointDiffView(props: {
  readonly runId: string;
  readonly states: readonly SavedState[];
  readonly to: number;
}) {
  const { states, to } = props;
  const before = neighbourState(states, to, -1)?.sequence;
  const [from, setFrom] = useState(before);
  if (from === undefined || before === to) {
    return <p className="sw-faint">{t('The first saved state; there is nothing before it.')}</p>;
  }
  return (
    <section aria-label={t('Changes from {from} to {to}', { from, to })} data-testid="diff">
      <NativeSelect
        size="xs"
        label={t('Since')}
        className="sw-diff-since"
        data={states
          .filter(({ sequence }) => sequence !== to)
          .map(({ sequence, type, node }) => ({
            value: String(sequence),
            label: `${sequence} · ${checkpointWords(type)} ${node}`,
          }))}
        value={String(from)}
        onChange={(event) => setFrom(Number(event.currentTarget.value))}
      />
      <Changes runId={props.runId} from={from} to={to} />
    </section>
  );
}

function Changes(props: { readonly runId: string; readonly from: number; readonly to: number }) {
  const [noise, setNoise] = useState(false);
  const [text, setText] = useState('');
  const diff = useQuery({
    ...routeQuery(getCheckpointDiff, {
      params: { run_id: props.runId },
      query: { from_sequence: props.from, to_sequence: props.to },
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!diff.isSuccess) {
    return <Unread query={diff} rows={3} compact />;
  }
  const all = diffLines(diff.data);
  const shown = shownLines(all, { noise, text });
  return (
    <>
      <header className="sw-diff-head">
        <span>
          {t('{count, plural, one {1 change} other {# changes}}', {
            count: diff.data.change_count,
          })}
        </span>
        {diff.data.truncated && (
          <Badge tone="warning">
            {t('Only the first {count} are listed', { count: all.length })}
          </Badge>
        )}
        {all.length > LONG_LIST && (
          <TextInput
            size="xs"
            leftSection={<IconSearch size={13} aria-hidden />}
            placeholder={t('Search changes')}
            aria-label={t('Search changes')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <Switch
          size="xs"
          label={t('Bookkeeping')}
          checked={noise}
          onChange={(event) => setNoise(event.currentTarget.checked)}
        />
      </header>
      {shown.length === 0 && (
        <p className="sw-faint">
          {text === '' ? t('Only bookkeeping changed.') : t('No change contains this.')}
        </p>
      )}
      <dl className="sw-diff">
        {shown.map((line) => (
          <Line key={`${line.change} ${line.key}`} line={line} />
        ))}
      </dl>
    </>
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
