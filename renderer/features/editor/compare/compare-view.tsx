import { t } from '../../../../preload/texts/t.ts';
import './compare.css';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { askSpecWorker } from '../spec-client.ts';
import { TextDiff, type TextPlaceShown } from '../text-diff.tsx';
import { ChangeList } from './change-list.tsx';
import { CompareGraphs } from './compare-graphs.tsx';
import type { ComparedTexts, PlacedChange } from './compare-model.ts';
import { useWorkerAnswer } from './use-worker-answer.ts';
import { Verdict } from './verdict.tsx';

type View = 'text' | 'meaning' | 'graphs';

const VIEWS: readonly { value: View; label: string }[] = [
  { value: 'text', label: t('Text') },
  { value: 'meaning', label: t('Meaning') },
  { value: 'graphs', label: t('Graphs') },
];

export interface CompareViewProps extends ComparedTexts {
  /** What the left and the right text are. */
  readonly labels: readonly [string, string];
  /** What is shown at first; the lines unless it is said. */
  readonly first?: View;
}

/** Two texts: their lines, what differs in meaning, and both drawings. */
export function CompareView(props: CompareViewProps) {
  const { left, right, file, leftFile = file, labels } = props;
  const [view, setView] = useState<View>(props.first ?? 'text');
  const [shown, setShown] = useState<TextPlaceShown | null>(null);
  const { output, error } = useWorkerAnswer(JSON.stringify([leftFile, file, left, right]), () =>
    askSpecWorker('compare', { left, right, file, leftFile }),
  );
  const open = ({ side, line }: PlacedChange): void => {
    if (line === null) return;
    setShown({ side, line });
    setView('text');
  };
  return (
    <div data-testid="compare-view">
      <div className="sw-merge-head" style={{ marginTop: 0 }}>
        <SegmentedControl
          size="xs"
          aria-label={t('How the two are compared')}
          value={view}
          onChange={(next) => setView(VIEWS.find(({ value }) => value === next)?.value ?? 'text')}
          data={[...VIEWS]}
          data-testid="compare-views"
        />
        {output !== undefined && <Verdict comparison={output} />}
      </div>
      {view === 'text' && <TextDiff left={left} right={right} labels={labels} shown={shown} />}
      {view !== 'text' && (
        <div className="sw-compare-pane">
          {error !== undefined && (
            <ErrorState compact title={t('It was not compared')} error={error} />
          )}
          {output === null && (
            <EmptyState compact title={t('One of the two is no whole spec')}>
              {t('What it means cannot be said; the tab Text shows every line that differs.')}
            </EmptyState>
          )}
          {view === 'meaning' && output?.changes.length === 0 && (
            <EmptyState compact title={t('Both say the same')}>
              {t('Only the layout, comments or spelling differ.')}
            </EmptyState>
          )}
          {view === 'meaning' && output && <ChangeList changes={output.changes} onOpen={open} />}
          {view === 'graphs' && output && <CompareGraphs comparison={output} labels={labels} />}
        </div>
      )}
    </div>
  );
}
