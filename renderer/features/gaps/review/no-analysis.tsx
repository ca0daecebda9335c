import { t } from '../../../../preload/texts/t.ts';
import './review.css';
import { Button } from '@mantine/core';
import { IconFileCheck, IconFileUnknown } from '@tabler/icons-react';
import type { DraftSummary } from '../../../../server/contract/studio/drafts.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { declareNotApplicable } from '../../../data/artifact-actions.ts';
import { useAssertions, useDrafts, useRoleHindrance } from '../../../data/studio.ts';
import { useAction } from '../../../data/use-action.ts';
import { AssertionLines } from '../../../ui/assertion-lines.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';

const NONE: readonly never[] = [];

function sayingOf(draft: DraftSummary | undefined): string {
  if (draft === undefined) {
    return t('It is no draft of this project (any more).');
  }
  if (draft.not_applicable_asserted) {
    return t(
      'It was written here, and somebody answers for it. An edit voids that, and it is asked for again.',
    );
  }
  return draft.can_assert_not_applicable
    ? t(
        'It was written here, so there is no source to analyse. Somebody has to say so before an artifact of it is exported; that holds for this revision, with name and time.',
      )
    : t(
        'It was imported, and what its import found is not linked to it (any more). Import its source again.',
      );
}

/** A draft without any analysis: what that means, who said that none is needed, and saying so. */
export function NoAnalysis(props: { readonly projectId: string; readonly draftRef: string }) {
  const { projectId, draftRef } = props;
  const draft = useDrafts(projectId).data?.find(({ ref }) => ref === draftRef);
  const assertions = useAssertions(projectId, draftRef).data ?? NONE;
  const hindrance = useRoleHindrance(projectId, 'owner');
  const said = draft?.not_applicable_asserted === true;
  const saying = useAction(async () => {
    if (draft?.revision != null) {
      await declareNotApplicable(projectId, { path: draft.ref, revision: draft.revision });
    }
  });
  return (
    <EmptyState
      icon={
        said ? (
          <IconFileCheck size={32} stroke={1.25} />
        ) : (
          <IconFileUnknown size={32} stroke={1.25} />
        )
      }
      title={said ? t('No source analysis is needed') : t('This draft has no source analysis')}
      testId="no-analysis"
      actions={
        <>
          {draft?.can_assert_not_applicable === true && (
            <Button
              size="xs"
              loading={saying.busy}
              disabled={hindrance !== undefined}
              title={hindrance}
              onClick={() => saying.start()}
              data-testid="assert-not-applicable"
            >
              {t('Say that none is needed')}
            </Button>
          )}
          {draft !== undefined && (
            <Button
              size="xs"
              variant="default"
              onClick={() => navigateTo(paths.draft(projectId, draftRef))}
            >
              {t('Open editor')}
            </Button>
          )}
        </>
      }
    >
      <p style={{ margin: 0 }}>{sayingOf(draft)}</p>
      <AssertionLines assertions={assertions} />
      {saying.error !== undefined && (
        <ErrorState compact title={t('It was not recorded')} error={saying.error} />
      )}
    </EmptyState>
  );
}
