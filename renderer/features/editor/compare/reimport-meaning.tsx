import { useEffect, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { Choice } from '../../../../server/spec/merge/conflict.ts';
import type { MeaningMergeProps } from '../../../ui/meaning-merge-props.ts';
import { MergeBadge } from '../../../ui/merge-badge.tsx';
import { askSpecWorker } from '../spec-client.ts';
import { MergeMeaning } from './merge-meaning.tsx';
import { useWorkerAnswer } from './use-worker-answer.ts';

/** A draft and a second import of its source, merged change by change; the author's edits stay. */
export function ReimportMeaning(props: MeaningMergeProps) {
  const { base, mine, theirs, file, onMerged } = props;
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({});
  const {
    output: merge,
    error,
    stale,
  } = useWorkerAnswer(JSON.stringify([base, mine, theirs, choices]), () =>
    askSpecWorker('merge', { base, ours: mine, theirs, file, choices }),
  );
  const byLines = merge?.by === 'lines';
  const ready = merge !== undefined && !stale && !byLines && merge.open === 0;
  const text = ready ? merge.text : undefined;
  useEffect(() => onMerged(text), [text, onMerged]);
  if (byLines) {
    return (
      <p className="sw-faint" data-testid="meaning-by-lines">
        {t(
          'One of the texts cannot be read as a spec, so they are merged by lines: the tab Lines shows each place.',
        )}
      </p>
    );
  }
  return (
    <>
      {merge !== undefined && (merge.open > 0 || merge.faults.length === 0) && (
        <MergeBadge conflicts={merge.open} testId="meaning-open" />
      )}
      <MergeMeaning
        mine={mine}
        file={file}
        merge={merge}
        error={error}
        theirs={t('New import')}
        onChoose={(id, choice) => setChoices((now) => ({ ...now, [id]: choice }))}
      />
    </>
  );
}
