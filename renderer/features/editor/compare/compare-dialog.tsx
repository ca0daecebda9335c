import { Modal, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { readHeadText } from '../../../../server/contract/studio/git.ts';
import { fileName } from '../../../data/draft-names.ts';
import { useGit } from '../../../data/project-git.ts';
import { routeQuery } from '../../../data/query-client.ts';
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
  /** What it is compared with at first; else its saved text when it differs. */
  readonly first?: string;
  readonly onClose: () => void;
}

/** Stands for the saved text among the drafts; no draft has an empty path. */
const SAVED = '';
/** Stands for the last commit; no draft has a path that begins so. */
export const HEAD = '/HEAD';

/** The text of a draft beside its saved one, or beside another draft. */
export function CompareDialog(props: CompareDialogProps) {
  const { projectId, draftRef, dirty } = props;
  const [other, setOther] = useState<string | null>(props.first ?? (dirty ? SAVED : null));
  const drafts = useDrafts(projectId).data ?? [];
  const others = drafts.filter(({ ref }) => ref !== draftRef).map(({ ref }) => ref);
  const name = fileName(draftRef);
  const git = useGit(projectId);
  return (
    <Modal
      opened
      onClose={props.onClose}
      size="min(1200px, 94vw)"
      title={t('Compare {name}', { name })}
    >
      <Select
        label={t('With')}
        searchable
        allowDeselect={false}
        value={other}
        onChange={setOther}
        placeholder={t('Choose a draft')}
        data={[
          ...(dirty ? [{ value: SAVED, label: t('Its saved text') }] : []),
          ...(git !== undefined && git.head !== null
            ? [
                {
                  value: HEAD,
                  label:
                    git.branch === null ? t('HEAD') : t('HEAD ({branch})', { branch: git.branch }),
                },
              ]
            : []),
          ...others.map((ref) => ({ value: ref, label: ref })),
        ]}
        mb="sm"
        data-testid="compare-with"
      />
      {other === null && (
        <EmptyState compact title={t('Nothing is chosen yet')}>
          {t('Choose a draft of this project to see what this one says otherwise.')}
        </EmptyState>
      )}
      {other === SAVED && (
        <CompareView
          left={props.savedText}
          right={props.text}
          file={name}
          labels={[t('Saved text'), t('Unsaved text')]}
        />
      )}
      {other === HEAD && <WithHead {...props} />}
      {other !== null && other !== SAVED && other !== HEAD && (
        <WithDraft {...props} other={other} />
      )}
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

function WithHead(props: CompareDialogProps) {
  const { projectId, draftRef, dirty } = props;
  const params = { project_id: projectId, ref: draftRef };
  const query = useQuery({ ...routeQuery(readHeadText, { params }), staleTime: 0 });
  const name = fileName(draftRef);
  if (query.data === undefined) return <Unread query={query} rows={8} compact />;
  const { state, text, head } = query.data;
  if (text === null) {
    return state === 'absent' ? (
      <EmptyState compact title={t('The last commit does not have {name}', { name })}>
        {t('All of it is new. Commit it once, and this shows what changed since.')}
      </EmptyState>
    ) : (
      <EmptyState compact title={t('It cannot be compared')}>
        {t('In the last commit this file is no text, or larger than 1 MiB.')}
      </EmptyState>
    );
  }
  if (text === props.text) {
    return (
      <EmptyState compact title={t('Nothing changed since the last commit')}>
        {t('This text is the one that HEAD has.')}
      </EmptyState>
    );
  }
  return (
    <CompareView
      left={text}
      right={props.text}
      file={name}
      labels={[`HEAD (${head?.slice(0, 8) ?? ''})`, dirty ? t('Unsaved text') : t('Saved text')]}
    />
  );
}
