import { t } from '../../../../preload/texts/t.ts';
import './compare.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Choice } from '../../../../server/spec/merge/conflict.ts';
import type { SpecMerge } from '../../../../server/spec/merge/merge-specs.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ListSkeleton } from '../../../ui/page.tsx';
import { askSpecWorker } from '../spec-client.ts';
import { ChangeList } from './change-list.tsx';
import { ConflictPlaces } from './conflict-places.tsx';
import { useWorkerAnswer } from './use-worker-answer.ts';

/** What is to be decided, what is wrong with the outcome, and what theirs brings. */
export function MergeMeaning(props: {
  readonly mine: string;
  readonly file: string;
  /** Undefined until the texts were merged for the first time. */
  readonly merge: SpecMerge | undefined;
  readonly error: unknown;
  /** What the other side is called. */
  readonly theirs: string;
  /** Stands above the places. */
  readonly children?: ReactNode;
  readonly onChoose: (id: string, choice: Choice) => void;
}) {
  const { mine, file, merge, error } = props;
  return (
    <div className="sw-compare-pane" data-testid="conflict-meaning">
      {error !== undefined && (
        <ErrorState compact title={t('They were not merged')} error={error} />
      )}
      {merge === undefined && error === undefined && <ListSkeleton rows={6} />}
      {props.children}
      {merge !== undefined && merge.faults.length > 0 && <Faults faults={merge.faults} />}
      {merge !== undefined && merge.conflicts.length > 0 && (
        <ConflictPlaces
          conflicts={merge.conflicts}
          theirs={props.theirs}
          onChoose={props.onChoose}
        />
      )}
      {merge !== undefined && <Brought mine={mine} text={merge.text} file={file} />}
    </div>
  );
}

function Faults(props: { readonly faults: SpecMerge['faults'] }) {
  return (
    <Notice tone="warning" icon={<IconAlertTriangle size={16} />} testId="conflict-faults">
      {t('Each change is right by itself, but together they are not: {faults}', {
        faults: props.faults.map(({ message }) => message).join(' '),
      })}
    </Notice>
  );
}

/** What the merged text says otherwise than one's own. */
function Brought(props: { readonly mine: string; readonly text: string; readonly file: string }) {
  const { mine, text, file } = props;
  const { output, error } = useWorkerAnswer(JSON.stringify([file, mine, text]), () =>
    askSpecWorker('compare', { left: mine, right: text, file }),
  );
  return (
    <section className="sw-conflict-merged" data-testid="conflict-brought">
      <h3>{t('What the merged text says otherwise than yours')}</h3>
      {error !== undefined && <ErrorState compact title={t('It was not compared')} error={error} />}
      {output === null && <p className="sw-faint">{t('The tab with the text shows each line.')}</p>}
      {output?.changes.length === 0 && (
        <EmptyState compact title={t('Nothing')}>
          {t('It says what your text says.')}
        </EmptyState>
      )}
      {output && <ChangeList changes={output.changes} />}
    </section>
  );
}
