import { Button, Group, Modal, SegmentedControl } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useMemo, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { diffHunks } from '../../../server/spec/edit/diff-lines.ts';
import { mergeLines } from '../../../server/spec/merge/merge-lines.ts';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import type { MeaningMergeProps } from '../../ui/meaning-merge-props.ts';
import { MergeBadge } from '../../ui/merge-badge.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { rich } from '../../ui/rich.ts';
import { type Choice, chooseText, mergeParts } from './merge-choices.ts';
import { MergePlaces } from './merge-places.tsx';
import { type Reimport, readReimport, saveMerged } from './reimport-queries.ts';

function changedLines(before: string, after: string): number {
  return diffHunks(before, after)
    .flatMap(({ rows }) => rows)
    .filter(({ sign }) => sign !== ' ').length;
}

function lines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** Offered when the same file was imported before: what changed, and the way to keep both. */
export function ReimportPanel(props: {
  readonly projectId: string;
  readonly analysisId: string;
  readonly draftRef: string;
  /** The draft that it was imported for; found by its name when absent. */
  readonly reimportOf: string | undefined;
  /** Merges by what the texts say. */
  readonly meaning: ComponentType<MeaningMergeProps>;
}) {
  const { projectId, analysisId, draftRef, reimportOf } = props;
  const [open, setOpen] = useState(false);
  const found = useQuery({
    queryKey: ['reimport', projectId, analysisId, draftRef, reimportOf],
    queryFn: () => readReimport(projectId, draftRef, analysisId, reimportOf),
    staleTime: 0,
    retry: false,
  });
  if (found.isError) {
    return (
      <ErrorState
        compact
        title={t('The draft of the earlier import was not read')}
        error={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  }
  if (found.data === undefined || found.data === null) {
    return null;
  }
  const reimport = found.data;
  return (
    <div className="sw-reimport" data-testid="reimport">
      <IconGitMerge size={22} stroke={1.5} aria-hidden />
      <div>
        <strong>
          {reimportOf === undefined
            ? t('A file of this name was imported before')
            : t('It was imported again for a draft of yours')}
        </strong>
        <p>
          {rich('{link} is untouched. {changes}', {
            link: (
              <AppLink to={paths.draft(projectId, reimport.ref)}>{nameOf(reimport.ref)}</AppLink>
            ),
            changes: changesText(reimport),
          })}
        </p>
      </div>
      <Button onClick={() => setOpen(true)} data-testid="reimport-review">
        {t('Review and merge')}
      </Button>
      {open && (
        <MergeDialog
          projectId={projectId}
          analysisId={analysisId}
          reimport={reimport}
          meaning={props.meaning}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

function changesText({ base, mine, theirs }: Reimport): string {
  if (base === null) {
    const count = changedLines(mine.text, theirs.text);
    return t('The first import was not kept; the drafts differ in {lines}.', {
      lines: lines(count),
    });
  }
  const source = changedLines(base, theirs.text);
  const own = changedLines(base, mine.text);
  const said =
    source === 0
      ? t('The source makes the same draft as before')
      : t('The source changed {lines}', { lines: lines(source) });
  return t('{said}; you edited {lines}.', { said, lines: lines(own) });
}

type View = 'meaning' | 'lines' | 'source' | 'own';

const VIEWS: readonly { readonly value: View; readonly label: string }[] = [
  { value: 'meaning', label: t('Changes') },
  { value: 'lines', label: t('Lines') },
  { value: 'source', label: t('What changed in the source') },
  { value: 'own', label: t('Your edits') },
];

function MergeDialog(props: {
  readonly projectId: string;
  readonly analysisId: string;
  readonly reimport: Reimport;
  readonly meaning: ComponentType<MeaningMergeProps>;
  readonly onClose: () => void;
}) {
  const { projectId, analysisId, reimport, meaning: Meaning } = props;
  const { base, mine, theirs } = reimport;
  // Without the first generation nothing tells whose line is newer, so every difference is shown.
  const merge = useMemo(
    () => mergeLines(base ?? '', mine.text, theirs.text),
    [base, mine.text, theirs.text],
  );
  const [view, setView] = useState<View>(base === null ? 'lines' : 'meaning');
  /** The side whose outcome is saved: the one looked at last. */
  const [by, setBy] = useState<'meaning' | 'lines'>(base === null ? 'lines' : 'meaning');
  const [merged, setMerged] = useState<string | undefined>(undefined);
  const parts = useMemo(() => mergeParts(merge.text), [merge.text]);
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  const [saving, setSaving] = useState(false);
  const text = by === 'meaning' ? merged : chooseText(parts, choices);
  const save = (): void => {
    if (text === undefined) {
      return;
    }
    setSaving(true);
    saveMerged(projectId, reimport, text)
      .then(() => {
        notifyDone(t('Merged into {name}', { name: nameOf(reimport.ref) }));
        navigateTo(paths.importResult(projectId, analysisId, reimport.ref));
      })
      .catch((error) => {
        setSaving(false);
        notifyError(t('The merge was not saved'), error);
      });
  };
  return (
    <Modal
      opened
      onClose={props.onClose}
      size="min(1100px, 94vw)"
      title={t('Merge the new import into {name}', { name: nameOf(reimport.ref) })}
      data-testid="reimport-dialog"
    >
      <Group justify="space-between" mb="sm">
        <SegmentedControl
          size="xs"
          value={view}
          onChange={(next) => {
            const chosen = VIEWS.find(({ value }) => value === next)?.value ?? 'lines';
            setView(chosen);
            if (chosen === 'meaning' || chosen === 'lines') setBy(chosen);
          }}
          data={VIEWS.filter(({ value }) => base !== null || value !== 'meaning')}
          data-testid="reimport-views"
        />
        {view === 'lines' && <MergeBadge conflicts={merge.conflicts} testId="reimport-conflicts" />}
      </Group>
      {view === 'source' && (
        <DiffView
          before={base ?? mine.text}
          after={theirs.text}
          label={t('What the source changed')}
        />
      )}
      {view === 'own' && (
        <DiffView before={base ?? theirs.text} after={mine.text} label={t('What you edited')} />
      )}
      {base !== null && (
        <div hidden={view !== 'meaning'}>
          <Meaning
            base={base}
            mine={mine.text}
            theirs={theirs.text}
            file={reimport.ref}
            onMerged={setMerged}
          />
        </div>
      )}
      {view === 'lines' && merge.conflicts > 0 && (
        <MergePlaces
          parts={parts}
          choices={choices}
          onChoose={(part, choice) => setChoices((now) => new Map(now).set(part, choice))}
        />
      )}
      {view === 'lines' && text !== undefined && (
        <DiffView
          before={mine.text}
          after={text}
          label={t('What the merge changes in your draft')}
        />
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        {text === undefined && (
          <span className="sw-faint">
            {by === 'meaning'
              ? t('Decide each change to save the result.')
              : t('Decide each place to save the result.')}
          </span>
        )}
        <Button variant="default" onClick={props.onClose}>
          {t('Keep both drafts')}
        </Button>
        <Button
          onClick={save}
          disabled={text === undefined}
          loading={saving}
          data-testid="reimport-save"
        >
          {t('Save into {name}', { name: nameOf(reimport.ref) })}
        </Button>
      </Group>
    </Modal>
  );
}
