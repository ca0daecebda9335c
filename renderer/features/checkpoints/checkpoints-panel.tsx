import { t } from '../../../preload/texts/t.ts';
import { checkpointWords } from '../../ui/checkpoint-words.ts';
import './checkpoints.css';
import { ActionIcon, Button, SegmentedControl, Slider, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { useLack } from '../../data/connections.ts';
import { useHindrance } from '../../data/operator.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CheckpointDiffView } from './checkpoint-diff.tsx';
import { CheckpointList } from './checkpoint-list.tsx';
import { neighbourState, type SavedState } from './checkpoint-model.ts';
import { CheckpointState } from './checkpoint-state.tsx';

export interface CheckpointsPanelProps {
  readonly runId: string;
  readonly states: readonly SavedState[];
  /** Sequence of the state that the page shows; null = the run as it is now. */
  readonly shown: number | null;
  readonly onShow: (sequence: number | null) => void;
  /** Opens the form to run again from a state. */
  readonly onRerun: (sequence: number) => void;
}

/** The saved states of a run: step through them, see what changed and what stood there. */
export function CheckpointsPanel(props: CheckpointsPanelProps) {
  const { runId, states, shown, onShow } = props;
  const [view, setView] = useState('changes');
  const mayNot = useHindrance('run.control');
  const hindrance = useLack('rerun') ?? mayNot;
  if (states.length === 0) {
    return <EmptyState compact title={t('No checkpoints yet')} />;
  }
  const index = states.findIndex(({ sequence }) => sequence === shown);
  const state = states[index];
  return (
    <section className="sw-replay" aria-label={t('Checkpoints')} data-testid="checkpoints">
      <Scrubber states={states} index={index} shown={shown} onShow={onShow} />
      <CheckpointList states={states} shown={shown} onShow={onShow} />
      {state !== undefined && (
        <>
          <header className="sw-replay-head">
            <SegmentedControl
              size="xs"
              aria-label={t('What to show of the checkpoint')}
              value={view}
              onChange={setView}
              data={[
                { value: 'changes', label: t('Changes') },
                { value: 'state', label: t('Whole state') },
              ]}
            />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRepeat size={14} aria-hidden />}
              onClick={() => props.onRerun(state.sequence)}
              disabled={hindrance !== undefined}
              title={hindrance}
              data-testid="rerun-here"
            >
              {t('Run again from here…')}
            </Button>
          </header>
          {view === 'changes' ? (
            <CheckpointDiffView
              key={state.sequence}
              runId={runId}
              states={states}
              to={state.sequence}
            />
          ) : (
            <CheckpointState runId={runId} index={index} />
          )}
        </>
      )}
    </section>
  );
}

function Scrubber(props: {
  readonly states: readonly SavedState[];
  readonly index: number;
  readonly shown: number | null;
  readonly onShow: (sequence: number | null) => void;
}) {
  const { states, index, shown, onShow } = props;
  const count = states.length;
  const step = (by: 1 | -1): void => {
    const next = neighbourState(states, shown, by);
    if (next !== undefined) {
      onShow(next.sequence);
    }
  };
  const label = (at: number): string => {
    const state = states[at - 1];
    return state === undefined ? t('now') : `${state.sequence} · ${checkpointWords(state.type)}`;
  };
  return (
    <div className="sw-scrubber" data-testid="scrubber">
      <Tooltip label={t('Earlier checkpoint')}>
        <ActionIcon
          variant="default"
          size="sm"
          aria-label={t('Earlier checkpoint')}
          onClick={() => step(-1)}
          disabled={index === 0}
        >
          <IconChevronLeft size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Slider
        size="sm"
        min={1}
        max={count + 1}
        value={index === -1 ? count + 1 : index + 1}
        label={label}
        thumbLabel={t('Checkpoint that is shown')}
        thumbValueText={label(index === -1 ? count + 1 : index + 1)}
        onChange={(at) => onShow(states[at - 1]?.sequence ?? null)}
      />
      <Tooltip label={t('Later checkpoint')}>
        <ActionIcon
          variant="default"
          size="sm"
          aria-label={t('Later checkpoint')}
          onClick={() => step(1)}
          disabled={index === -1 || index === count - 1}
        >
          <IconChevronRight size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Button
        size="compact-xs"
        variant={index === -1 ? 'light' : 'default'}
        onClick={() => onShow(null)}
      >
        {t('Now')}
      </Button>
    </div>
  );
}
