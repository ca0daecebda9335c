import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { RunItems } from '../../../server/contract/platform/run-reads.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ItemsView } from '../../ui/items-view.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Unread } from '../../ui/unread.tsx';
import { useRunItems } from './use-run-items.ts';

type StepRun = RunItems['runs'][number];

/** What outputs are called where they have a name of their own. */
const OUTPUT_NAMES: Readonly<Record<string, readonly string[]>> = {
  'n8n-nodes-base.if': ['true', 'false'],
};

function outputName({ type }: StepRun, output: number): string {
  const names = Object.hasOwn(OUTPUT_NAMES, type) ? OUTPUT_NAMES[type] : undefined;
  return names?.[output] ?? t('output {number}', { number: output + 1 });
}

function outputsText(run: StepRun): string {
  if (run.outputs.length < 2) {
    return t('{count, plural, one {# item} other {# items}}', {
      count: run.outputs[0]?.length ?? 0,
    });
  }
  return run.outputs.map((items, at) => `${outputName(run, at)} ${items?.length ?? 0}`).join(' · ');
}

const COLUMNS: readonly DataColumn<StepRun>[] = [
  {
    id: 'at',
    header: '#',
    width: '48px',
    align: 'right',
    cell: ({ at }) => <span className="sw-faint">{at + 1}</span>,
  },
  {
    id: 'step',
    header: t('Step'),
    cell: ({ name, within }) => (
      <span className="sw-step-name">
        {within.map((caller) => (
          <span key={caller.step} className="sw-faint">
            {caller.name} ›
          </span>
        ))}
        <strong>{name}</strong>
      </span>
    ),
  },
  { id: 'run', header: t('Run'), width: '56px', align: 'right', cell: ({ run }) => run + 1 },
  {
    id: 'items',
    header: t('Gave'),
    width: '40%',
    cell: (run) => (
      <span className="sw-step-gave">
        {outputsText(run)}
        {run.answered_by !== null && <Badge tone="info">{run.answered_by}</Badge>}
      </span>
    ),
  },
];

function rowId({ at }: StepRun): string {
  return `step-${at}`;
}

/** What each step of an item flow gave, in the order in which they ran; the latest until one is chosen. */
export function RunItemsView(props: { readonly runId: string; readonly isOver: boolean }) {
  const [pages, setPages] = useState(1);
  const [chosen, setChosen] = useState<number | null>(null);
  const { first, runs, total, hasMore } = useRunItems(props.runId, pages, !props.isOver);
  if (first.data === undefined) {
    return <Unread query={first} rows={3} compact />;
  }
  if (total === 0) {
    return (
      <EmptyState
        compact
        title={props.isOver ? t('No step gave anything') : t('No step has given anything yet')}
        testId="run-items-empty"
      />
    );
  }
  const shown = runs.find(({ at }) => at === chosen) ?? runs.at(-1);
  return (
    <div className="sw-run-items" data-testid="run-items">
      <div className="sw-run-items-steps">
        <DataTable
          label={t('Steps and what they gave')}
          columns={COLUMNS}
          rows={runs}
          rowId={rowId}
          selectedId={shown === undefined ? null : rowId(shown)}
          onOpen={({ at }) => setChosen(at)}
          onEndReached={() => {
            if (hasMore) {
              setPages(pages + 1);
            }
          }}
        />
      </div>
      {shown !== undefined && <StepItems key={shown.at} run={shown} />}
    </div>
  );
}

function StepItems(props: { readonly run: StepRun }) {
  const { run } = props;
  const [chosen, setChosen] = useState<number | null>(null);
  const firstFull = Math.max(
    run.outputs.findIndex((items) => items !== null && items.length > 0),
    0,
  );
  const output = chosen ?? firstFull;
  const items = run.outputs[output] ?? [];
  const from = new Set(run.sources.flatMap((source) => source?.node ?? []));
  return (
    <section className="sw-step-items" aria-label={run.name} data-testid="step-items">
      <header>
        <h3 className="sw-section-title">
          {run.name}
          {run.run > 0 && t(', run {run}', { run: run.run + 1 })}
        </h3>
        {from.size > 0 && (
          <span className="sw-faint">{t('from {value}', { value: [...from].join(', ') })}</span>
        )}
        {run.outputs.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={t('Output')}
            value={String(output)}
            onChange={(value) => setChosen(Number(value))}
            data={run.outputs.map((given, at) => ({
              value: String(at),
              label: `${outputName(run, at)} (${given?.length ?? 0})`,
            }))}
          />
        )}
      </header>
      {items.length === 0 ? (
        <EmptyState compact title={t('Nothing came out here')} />
      ) : (
        <ItemsView key={output} label={t('Items of {name}', { name: run.name })} items={items} />
      )}
    </section>
  );
}
