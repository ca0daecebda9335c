import { Modal, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fileName } from '../../../data/draft-names.ts';
import { useDrafts } from '../../../data/studio.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { draftQuery } from '../draft-queries.ts';
import { CompareView } from './compare-view.tsx';

export interface CompareDialogProps {
  readonly projectId: string;
  readonly draftRef: string;
  readonly savedText: string;
  readonly text: string;
  readonly dirty: boolean;
  readonly onClose: () => void;
}

/** Stands for the saved text among the drafts; no draft has an empty path. */
const SAVED = '';

/** The text of a draft beside its saved one, or beside another draft. */
export function CompareDialog(props: CompareDialogProps) {
  const { projectId, draftRef, dirty } = props;
  const [other, setOther] = useState<string | null>(dirty ? SAVED : null);
  const drafts = useDrafts(projectId).data ?? [];
  const others = drafts.filter(({ ref }) => ref !== draftRef).map(({ ref }) => ref);
  const name = fileName(draftRef);
  return (
    <Modal opened onClose={props.onClose} size="min(1200px, 94vw)" title={`Compare ${name}`}>
      <Select
        label="With"
        searchable
        allowDeselect={false}
        value={other}
        onChange={setOther}
        placeholder="Choose a draft"
        data={[
          ...(dirty ? [{ value: SAVED, label: 'Its saved text' }] : []),
          ...others.map((ref) => ({ value: ref, label: ref })),
        ]}
        mb="sm"
        data-testid="compare-with"
      />
      {other === null && (
        <EmptyState compact title="Nothing is chosen yet">
          Choose a draft of this project to see what this one says otherwise.
        </EmptyState>
      )}
      {other === SAVED && (
        <CompareView
          left={props.savedText}
          right={props.text}
          file={name}
          labels={['Saved text', 'Unsaved text']}
        />
      )}
      {other !== null && other !== SAVED && <WithDraft {...props} other={other} />}
    </Modal>
  );
}

function WithDraft(props: CompareDialogProps & { readonly other: string }) {
  const { projectId, draftRef, other } = props;
  const query = useQuery(draftQuery(projectId, other));
  if (query.data === undefined) return <Unread query={query} rows={8} compact />;
  return (
    <CompareView
      key={other}
      left={query.data.text}
      right={props.text}
      file={fileName(draftRef)}
      leftFile={fileName(other)}
      labels={[fileName(other), fileName(draftRef)]}
    />
  );
}
