import { Button, Group, Modal, SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { hasConflictMarkers, mergeLines } from '../../../server/spec/merge/merge-lines.ts';
import { MergeBadge } from '../../ui/merge-badge.tsx';
import type { DraftVersion } from './draft-buffer.ts';
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

type View = 'merged' | 'mine' | 'theirs';

/** The three versions of a draft that two writers changed; nothing is stored without a decision. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { base, mine, theirs } = props;
  const merge = useMemo(() => mergeLines(base.text, mine, theirs.text), [base, mine, theirs]);
  const [view, setView] = useState<View>('merged');
  const [result, setResult] = useState(merge.text);
  const [start, setStart] = useState(merge.text);
  const marked = hasConflictMarkers(result);
  const choose = (next: View): void => {
    setStart(result);
    setView(next);
  };
  return (
    <Modal
      opened
      onClose={props.onClose}
      size="min(1200px, 94vw)"
      title={`${props.fileName} changed elsewhere`}
      data-testid="conflict-dialog"
    >
      <p style={{ margin: 0 }}>
        Someone saved revision <code>{theirs.revision.slice(0, 8)}</code> after you started from{' '}
        <code>{base.revision.slice(0, 8)}</code>. Both texts are kept until you decide.
      </p>
      <div className="sw-merge-head">
        <SegmentedControl
          size="xs"
          value={view}
          onChange={(next) => choose(next === 'mine' || next === 'theirs' ? next : 'merged')}
          data={[
            { value: 'merged', label: 'Theirs and merged result' },
            { value: 'mine', label: 'Base and mine' },
            { value: 'theirs', label: 'Base and theirs' },
          ]}
        />
        <MergeBadge conflicts={merge.conflicts} />
      </div>
      {view === 'merged' && (
        <TextDiff
          left={theirs.text}
          right={start}
          labels={['Their version', 'Merged result, which can be edited']}
          onChange={setResult}
        />
      )}
      {view === 'mine' && (
        <TextDiff left={base.text} right={mine} labels={['Base', 'My version']} />
      )}
      {view === 'theirs' && (
        <TextDiff left={base.text} right={theirs.text} labels={['Base', 'Their version']} />
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        {marked && <span className="sw-faint">Remove the conflict marks to save the result.</span>}
        <Button variant="default" onClick={props.onTakeTheirs} data-testid="take-theirs">
          Take theirs
        </Button>
        <Button variant="default" onClick={() => props.onResolve(mine)} data-testid="keep-mine">
          Keep mine
        </Button>
        <Button onClick={() => props.onResolve(result)} disabled={marked} data-testid="save-merged">
          Save merged result
        </Button>
      </Group>
    </Modal>
  );
}
