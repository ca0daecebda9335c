import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './compare/compare.css';
import { Button, Group, Modal, SegmentedControl } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import type { Choice } from '../../../server/spec/merge/conflict.ts';
import { hasConflictMarkers } from '../../../server/spec/merge/merge-lines.ts';
import { MergeBadge } from '../../ui/merge-badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MergeMeaning } from './compare/merge-meaning.tsx';
import { useWorkerAnswer } from './compare/use-worker-answer.ts';
import type { DraftVersion } from './draft-buffer.ts';
import { askSpecWorker } from './spec-client.ts';
import { TextDiff } from './text-diff.tsx';

export interface ConflictDialogProps {
  readonly fileName: string;
  readonly base: DraftVersion;
  readonly mine: string;
  readonly theirs: DraftVersion;
  readonly onClose: () => void;
  /** Stores this text over their version. */
  readonly onResolve: (text: string) => void;
  /** Takes the text that the studio holds; the person's own text stays in the undo history. */
  readonly onTakeTheirs: () => void;
}

type View = 'meaning' | 'merged' | 'mine' | 'theirs';

const VIEWS: readonly { value: View; label: string }[] = [
  { value: 'meaning', label: t('Meaning') },
  { value: 'merged', label: t('Merged text') },
  { value: 'mine', label: t('Base and mine') },
  { value: 'theirs', label: t('Base and theirs') },
];

/** The merged text: as the choices make it until the person writes into it. */
function useMergedText(props: ConflictDialogProps) {
  const { base, mine, theirs, fileName: file } = props;
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({});
  /** What the person wrote, and what the text view began with. */
  const [written, setWritten] = useState<{ start: string; text: string } | null>(null);
  const key = JSON.stringify([base.text, mine, theirs.text, choices]);
  const {
    output: merge,
    error,
    stale,
  } = useWorkerAnswer(key, () =>
    askSpecWorker('merge', { base: base.text, ours: mine, theirs: theirs.text, file, choices }),
  );
  const made = merge?.marked ?? mine;
  const text = written?.text ?? made;
  return {
    ...{ merge, error, text, isWritten: written !== null },
    shown: written?.start ?? made,
    ready: merge !== undefined && !stale && !hasConflictMarkers(text),
    choose: (id: string, choice: Choice) => setChoices((now) => ({ ...now, [id]: choice })),
    write: (next: string) => setWritten((now) => ({ start: now?.start ?? made, text: next })),
    /** The text view is left: it begins with what was written when it comes back. */
    leave: () => setWritten((now) => now && { start: now.text, text: now.text }),
    forget: () => setWritten(null),
  };
}

/** The three versions of a draft that two writers changed; nothing is stored without a decision. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { base, mine, theirs } = props;
  const merged = useMergedText(props);
  const [chosen, setChosen] = useState<View>('meaning');
  const byLines = merged.merge?.by === 'lines';
  const view = byLines && chosen === 'meaning' ? 'merged' : chosen;
  return (
    <Modal
      opened
      onClose={props.onClose}
      size="min(1200px, 94vw)"
      title={t('{fileName} changed elsewhere', { fileName: props.fileName })}
      data-testid="conflict-dialog"
    >
      <p style={{ margin: 0 }}>
        {rich(
          'Someone saved revision {code} after you started from {code2}. Both texts are kept until you decide.',
          {
            code: <code>{theirs.revision.slice(0, 8)}</code>,
            code2: <code>{base.revision.slice(0, 8)}</code>,
          },
        )}
      </p>
      <div className="sw-merge-head">
        <SegmentedControl
          size="xs"
          aria-label={t('What is shown')}
          value={view}
          onChange={(next) => {
            merged.leave();
            setChosen(VIEWS.find(({ value }) => value === next)?.value ?? 'meaning');
          }}
          data={VIEWS.filter(({ value }) => !byLines || value !== 'meaning')}
          data-testid="conflict-views"
        />
        {merged.merge !== undefined &&
          (merged.merge.open > 0 || merged.merge.faults.length === 0) && (
            <MergeBadge conflicts={merged.merge.open} testId="conflict-open" />
          )}
        {byLines && (
          <span className="sw-faint">
            {t('One of the texts cannot be read as a spec, so they were merged by lines.')}
          </span>
        )}
      </div>
      {view === 'meaning' && (
        <MergeMeaning
          mine={mine}
          file={props.fileName}
          merge={merged.merge}
          error={merged.error}
          theirs={t('Theirs')}
          onChoose={merged.choose}
        >
          {merged.isWritten && (
            <Notice tone="info" icon={<IconPencil size={16} />} testId="conflict-written">
              {t('The merged text was written by hand, so choices no longer change it.')}{' '}
              <Button size="compact-xs" variant="default" onClick={merged.forget}>
                {t('Go back to the choices')}
              </Button>
            </Notice>
          )}
        </MergeMeaning>
      )}
      {view === 'merged' && merged.merge !== undefined && (
        <TextDiff
          left={theirs.text}
          right={merged.shown}
          labels={[t('Their version'), t('Merged result, which can be edited')]}
          onChange={merged.write}
        />
      )}
      {view === 'mine' && (
        <TextDiff left={base.text} right={mine} labels={[t('Base'), t('My version')]} />
      )}
      {view === 'theirs' && (
        <TextDiff left={base.text} right={theirs.text} labels={[t('Base'), t('Their version')]} />
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        {merged.merge !== undefined && !merged.ready && (
          <span className="sw-faint">{t('Decide each place to save the result.')}</span>
        )}
        <Button variant="default" onClick={props.onTakeTheirs} data-testid="take-theirs">
          {t('Take theirs')}
        </Button>
        <Button variant="default" onClick={() => props.onResolve(mine)} data-testid="keep-mine">
          {t('Keep mine')}
        </Button>
        <Button
          onClick={() => props.onResolve(merged.text)}
          disabled={!merged.ready}
          data-testid="save-merged"
        >
          {t('Save merged result')}
        </Button>
      </Group>
    </Modal>
  );
}
