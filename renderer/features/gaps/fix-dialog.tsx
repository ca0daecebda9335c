import { t } from '../../../preload/texts/t.ts';
import { plainTitle } from '../../../server/gaps/estate/shared-causes.ts';
import { rich } from '../../ui/rich.ts';
import { ServiceText } from '../../ui/service-text.tsx';
import './gap-dialogs.css';
import { Alert, Button, Group, Modal, Radio } from '@mantine/core';
import { useState } from 'react';
import type { FixResult, FixTarget } from '../../../server/gaps/fixes/fix-types.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyError } from '../../ui/notify.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { FixFields } from './fix-fields.tsx';
import type { GapCard } from './gap-model.ts';
import { useCalledDrafts } from './use-called-drafts.ts';
import { type FixSession, useFix } from './use-fix.ts';
import type { StoredEdit } from './use-gap-actions.ts';

export interface FixDialogProps {
  readonly projectId: string;
  readonly draftPath: string;
  readonly cards: readonly GapCard[];
  readonly targets: readonly FixTarget[];
  /** The edit that is chosen at first; the first that fits without it. */
  readonly begin?: string | null;
  readonly onStored: (edit: StoredEdit) => void;
  readonly onClose: () => void;
}

function titleOf(cards: readonly GapCard[]): string {
  const [first] = cards;
  if (first === undefined) {
    return t('Fix');
  }
  return cards.length === 1
    ? t('Fix {source_label}', { source_label: first.gap.source_ref.source_label })
    : t('Fix {count} gaps: {plainTitle}', {
        count: cards.length,
        plainTitle: plainTitle(first.gap),
      });
}

/** An edit of the draft that answers gaps: chosen, filled in, and seen as a diff before it is stored. */
export function FixDialog(props: FixDialogProps) {
  const { projectId, draftPath } = props;
  const called = useCalledDrafts(projectId, draftPath, props.targets);
  const targets = props.targets.map((target) => {
    const drafts = called.of(target);
    return drafts.length === 0 ? target : { ...target, called: drafts };
  });
  const fix = useFix(projectId, draftPath, targets, props.begin ?? null);
  const pending = fix.pending || called.pending;
  const error = fix.error ?? called.error;
  return (
    <Modal
      opened
      onClose={props.onClose}
      size="min(1080px, 94vw)"
      title={titleOf(props.cards)}
      closeButtonProps={{ 'aria-label': t('Close') }}
      data-testid="fix-dialog"
    >
      {pending && <ListSkeleton rows={6} />}
      {!pending && error !== undefined && (
        <ErrorState
          compact
          title={t('The edit could not be prepared')}
          error={error}
          onRetry={called.error === undefined ? fix.retry : called.retry}
        />
      )}
      {!pending && error === undefined && fix.offer === undefined && (
        <EmptyState
          compact
          title={t('No ready-made edit')}
          actions={
            <Button size="xs" onClick={() => navigateTo(paths.draft(projectId, draftPath))}>
              {t('Open editor')}
            </Button>
          }
        >
          {t(
            'This gap needs a decision that only the text can hold. Open the draft and write it there.',
          )}
        </EmptyState>
      )}
      {!pending && fix.offer !== undefined && error === undefined && (
        <FixBody {...props} fix={fix} />
      )}
    </Modal>
  );
}

function FixBody(props: FixDialogProps & { readonly fix: FixSession }) {
  const { fix, draftPath } = props;
  const [storing, setStoring] = useState(false);
  const { offer, base, result } = fix;
  const changed = result !== undefined && base !== undefined && result.text !== base.text;
  const ready = changed && result.done.length > 0 && !fix.unsaved;
  const store = async (): Promise<void> => {
    if (base === undefined || offer === undefined || !ready) {
      return;
    }
    setStoring(true);
    try {
      const revision = await fix.store();
      if (revision !== undefined) {
        props.onStored({
          what: t('{fix}: {file} saved', { fix: offer.title, file: fileName(draftPath) }),
          draft: { path: draftPath, revision },
          before: base.text,
        });
      }
    } catch (error) {
      notifyError(t('{file} was not saved', { file: fileName(draftPath) }), error);
    } finally {
      setStoring(false);
    }
  };
  return (
    <form
      className="sw-fix"
      onSubmit={(event) => {
        event.preventDefault();
        void store();
      }}
    >
      <div className="sw-fix-form">
        <Radio.Group
          label={t('What to do')}
          value={offer?.id ?? ''}
          onChange={fix.choose}
          className="sw-fix-offers"
        >
          {fix.offers.map((one) => (
            <Radio
              key={one.id}
              value={one.id}
              label={
                props.targets.length > 1
                  ? t('{title} ({count} of {count2})', {
                      title: one.title,
                      count: one.gap_ids.length,
                      count2: props.targets.length,
                    })
                  : one.title
              }
              data-testid={`fix-${one.id}`}
            />
          ))}
        </Radio.Group>
        <p className="sw-faint">{offer?.about}</p>
        <p className="sw-fix-export" data-testid="fix-export">
          <strong>{t('Export')}</strong> {offer?.portability}
        </p>
        <FixFields fields={offer?.fields ?? []} values={fix.values} onChange={fix.fill} />
      </div>
      <div className="sw-fix-review">
        <h3 className="sw-section-title">
          {t('Review the edit of {file}', { file: fileName(draftPath) })}
        </h3>
        <Notices fix={fix} result={result} />
        {changed ? (
          <DiffView before={base.text} after={result.text} label={t('The edit, line by line')} />
        ) : (
          result?.refused.length === 0 && (
            <p className="sw-faint">{t('Nothing changes yet. Fill in the fields on the left.')}</p>
          )
        )}
      </div>
      <Group justify="flex-end" gap="xs" className="sw-fix-foot">
        <span className="sw-faint" style={{ marginRight: 'auto' }}>
          {t('Saved at once. Attest afterwards: an edit lets earlier attestations lapse.')}
        </span>
        <Button variant="default" onClick={props.onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" disabled={!ready} loading={storing} data-testid="fix-store">
          {result !== undefined && result.done.length > 1
            ? t('Save {count} edits', { count: result.done.length })
            : t('Save edit')}
        </Button>
      </Group>
    </form>
  );
}

function Notices(props: { readonly fix: FixSession; readonly result: FixResult | undefined }) {
  const { fix, result } = props;
  const [refused] = result?.refused ?? [];
  return (
    <div role="status" className="sw-fix-notices">
      {fix.moved && (
        <Alert color="yellow" title={t('The draft changed meanwhile')} data-testid="fix-moved">
          {rich(
            'Nothing was overwritten. The edit was made anew on revision {code}; look at it again and save.',
            { code: <code>{fix.base?.revision.slice(0, 8)}</code> },
          )}
        </Alert>
      )}
      {fix.unsaved && (
        <Alert color="yellow" title={t('The editor holds unsaved text of this draft')}>
          {t('Save or discard it there first, so that neither text is lost.')}
        </Alert>
      )}
      {refused !== undefined && result !== undefined && (
        <Alert
          color={result.done.length === 0 ? 'gray' : 'yellow'}
          title={
            result.done.length === 0
              ? undefined
              : t('{count} of {count2} are left out', {
                  count: result.refused.length,
                  count2: result.refused.length + result.done.length,
                })
          }
        >
          <ServiceText>{refused.reason}</ServiceText>
        </Alert>
      )}
      {result !== undefined && result.errorsAfter > result.errorsBefore && (
        <Alert color="red" title={t('The draft would not be valid')} data-testid="fix-invalid">
          {result.newError}
        </Alert>
      )}
    </div>
  );
}
