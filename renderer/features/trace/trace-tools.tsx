import { Button, Chip, Switch, TextInput } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconSearch, IconX } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import { FacetChips } from '../../ui/facet-chips.tsx';
import { rich } from '../../ui/rich.ts';
import { countKinds, type TraceFilter, type TraceRow } from './trace-model.ts';

const KIND_LABELS: Readonly<Record<string, string>> = {
  node: t('Steps'),
  llm: t('Models'),
  tool: t('Tools'),
  policy: t('Policy'),
  human: t('People'),
  checkpoint: t('Checkpoints'),
  note: t('Notes'),
  audit: t('Audit'),
};

/** What narrows the trace: kinds, failures, words, the chosen node. */
export function TraceTools(props: {
  readonly rows: readonly TraceRow[];
  readonly filter: TraceFilter;
  readonly onFilter: (filter: TraceFilter) => void;
  readonly onClearNode: () => void;
}) {
  const { rows, filter, onFilter } = props;
  const failed = rows.filter(({ state }) => state === 'failed').length;
  return (
    <div className="sw-trace-tools">
      <FacetChips
        label={t('Kinds of events')}
        facets={countKinds(rows).map(([value, count]) => ({
          value,
          label: KIND_LABELS[value] ?? value,
          count,
        }))}
        selected={filter.kinds}
        onChange={(kinds) => onFilter({ ...filter, kinds })}
      />
      {(failed > 0 || filter.failed) && (
        <Chip
          size="xs"
          color="red"
          variant="light"
          checked={filter.failed}
          onChange={(on) => onFilter({ ...filter, failed: on })}
        >
          {rich('Failed {part}', { part: <span className="sw-faint">{failed}</span> })}
        </Chip>
      )}
      {filter.node !== null && (
        <Button
          size="compact-xs"
          variant="light"
          rightSection={<IconX size={12} aria-hidden />}
          onClick={props.onClearNode}
        >
          {t('Node {node}', { node: filter.node })}
        </Button>
      )}
      <TextInput
        size="xs"
        className="sw-trace-search"
        leftSection={<IconSearch size={13} aria-hidden />}
        placeholder={t('Search trace')}
        aria-label={t('Search trace')}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
    </div>
  );
}

/** Holding the trace still and following its end, while it grows. */
export function TraceLiveTools(props: {
  /** Events that came while the trace is held; null = not held. */
  readonly waiting: number | null;
  readonly onHold: (held: boolean) => void;
  readonly follow: boolean;
  readonly onFollow: (on: boolean) => void;
}) {
  const { waiting } = props;
  const held = waiting !== null;
  return (
    <>
      <Button
        size="compact-xs"
        variant={held ? 'filled' : 'default'}
        leftSection={
          held ? (
            <IconPlayerPlay size={12} aria-hidden />
          ) : (
            <IconPlayerPause size={12} aria-hidden />
          )
        }
        onClick={() => props.onHold(!held)}
        data-testid="trace-pause"
      >
        {held
          ? t('Resume{detail}', { detail: waiting === 0 ? '' : t(', {waiting} new', { waiting }) })
          : t('Pause')}
      </Button>
      <Switch
        size="xs"
        label={t('Follow')}
        checked={props.follow && !held}
        disabled={held}
        onChange={(event) => props.onFollow(event.currentTarget.checked)}
      />
    </>
  );
}
