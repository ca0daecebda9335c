import { t } from '../../../../preload/texts/t.ts';
import type { EstateCause } from '../../../../server/contract/studio/estate.ts';
import { rich } from '../../../ui/rich.ts';
import { ServiceText } from '../../../ui/service-text.tsx';
import '../gap-dialogs.css';
import './repair.css';
import { Button, Checkbox, Progress, Radio } from '@mantine/core';
import { useState } from 'react';
import { AppLink } from '../../../app/app-link.tsx';
import { paths } from '../../../app/paths.ts';
import { DiffView } from '../../../ui/diff-view.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { FixFields } from '../fix-fields.tsx';
import { isReady, lineCounts, type RepairFile, type RepairRow } from './repair-model.ts';
import { type Repair, type RepairStart, useRepair } from './use-repair.ts';
import { useRepairSaving } from './use-repair-saving.ts';

export interface RepairPageProps {
  readonly projectId: string;
  readonly cause: Omit<EstateCause, 'files' | 'frees'>;
  /** The files that have the cause. Stable between renders. */
  readonly files: readonly RepairFile[];
  /** Where the other causes are. */
  readonly causesPath: string;
  /** What was chosen for this cause before. Stable between renders. */
  readonly start: RepairStart | undefined;
}

/** One edit for the drafts that share a cause: filled in once, seen in each, saved where it is wanted. */
export function RepairPage(props: RepairPageProps) {
  const { projectId, cause, files, causesPath, start } = props;
  const repair = useRepair(projectId, files, cause.id, start);
  const { read, total } = repair;
  return (
    <Page
      title={t('Repair {count, plural, one {# draft} other {# drafts}}', { count: files.length })}
      sub={
        <div className="sw-repair-sub">
          <StatusBadge status={cause.severity} />
          <span>
            <ServiceText>{cause.title}</ServiceText>
            {cause.subject !== '' && ` · ${cause.subject}`}
          </span>
          <AppLink to={causesPath}>{t('All causes')}</AppLink>
        </div>
      }
      flush
      testId="repair-page"
    >
      {repair.error !== undefined && <ErrorState error={repair.error} />}
      {repair.error === undefined && read < total && (
        <div className="sw-repair-reading">
          <Progress
            value={(read / total) * 100}
            aria-label={t('{read} of {total} drafts read', { read, total })}
          />
          <p className="sw-faint">
            {t('Reading {read} of {count, plural, one {# draft} other {# drafts}}', {
              read,
              count: total,
            })}
          </p>
        </div>
      )}
      {read === total && repair.offer === undefined && (
        <EmptyState title={t('No ready-made edit fits these gaps')}>
          {t('Each needs a decision that only its text can hold. Open the drafts one by one.')}
        </EmptyState>
      )}
      {read === total && repair.offer !== undefined && (
        <RepairBody projectId={projectId} causeId={cause.id} repair={repair} />
      )}
    </Page>
  );
}

function RepairBody(props: {
  readonly projectId: string;
  readonly causeId: string;
  readonly repair: Repair;
}) {
  const { projectId, repair } = props;
  const { offer, rows } = repair;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [shownRef, setShownRef] = useState<string | null>(null);
  const saving = useRepairSaving(projectId, props.causeId, repair);
  const chosen = rows.filter((row) => isReady(row) && !left.has(row.draft.ref));
  const shown = rows.find(({ draft }) => draft.ref === shownRef) ?? rows[0];
  const choose = (ref: string, wanted: boolean): void =>
    setLeft((now) => {
      const next = new Set(now);
      if (wanted) {
        next.delete(ref);
      } else {
        next.add(ref);
      }
      return next;
    });
  const saved = rows.filter(({ outcome }) => outcome?.state === 'saved');
  return (
    <div className="sw-repair">
      <section className="sw-repair-form" aria-label={t('What to do')}>
        <div>
          <Radio.Group label={t('What to do')} value={offer?.fix ?? ''} onChange={repair.choose}>
            {repair.offers.map((one) => (
              <Radio
                key={one.fix}
                value={one.fix}
                mt={6}
                label={t('{title} ({count} of {count2})', {
                  title: one.title,
                  count: one.gaps.size,
                  count2: rows.length + repair.unfit.length,
                })}
                data-testid={`repair-${one.fix}`}
              />
            ))}
          </Radio.Group>
          <p className="sw-faint">{offer?.about}</p>
          {repair.unfit.length > 0 && (
            <p className="sw-faint">
              {rich(
                'It does not fit {count, plural, one {# draft} other {# drafts}}: {unfit}{value}.',
                {
                  count: repair.unfit.length,
                  unfit: repair.unfit
                    .slice(0, 4)
                    .map(({ name }) => name)
                    .join(', '),
                  value: repair.unfit.length > 4 && t(' and others'),
                },
              )}
            </p>
          )}
        </div>
        <div>
          <FixFields fields={offer?.fields ?? []} values={repair.values} onChange={repair.fill} />
        </div>
      </section>
      <section className="sw-repair-drafts" aria-label={t('Drafts')}>
        <div className="sw-repair-list-head">
          <Checkbox
            size="xs"
            label={t('{count} of {count2, plural, one {# draft} other {# drafts}}', {
              count: chosen.length,
              count2: rows.length,
            })}
            checked={chosen.length > 0 && chosen.length === rows.filter(isReady).length}
            indeterminate={chosen.length > 0 && chosen.length < rows.filter(isReady).length}
            onChange={(event) =>
              setLeft(
                event.currentTarget.checked
                  ? new Set()
                  : new Set(rows.map(({ draft }) => draft.ref)),
              )
            }
            data-testid="repair-all"
          />
        </div>
        <ul>
          {rows.map((row) => (
            <DraftRow
              key={row.draft.ref}
              row={row}
              chosen={isReady(row) && !left.has(row.draft.ref)}
              shown={row === shown}
              onChoose={(wanted) => choose(row.draft.ref, wanted)}
              onShow={() => setShownRef(row.draft.ref)}
            />
          ))}
        </ul>
      </section>
      <section className="sw-repair-diff" aria-label={t('The edit')}>
        {shown !== undefined && <Edit projectId={projectId} row={shown} />}
      </section>
      <footer className="sw-repair-foot">
        <span className="sw-faint" role="status">
          {saved.length > 0
            ? t(
                'Saved in {count, plural, one {# draft} other {# drafts}}. It is offered again when their files are imported again.',
                { count: saved.length },
              )
            : t('Each draft is saved by itself; one that somebody changed meanwhile is left.')}
        </span>
        {saved.length > 0 && (
          <Button
            variant="default"
            loading={saving.busy}
            onClick={() => void saving.undo()}
            data-testid="repair-undo"
          >
            {t('Take back {count}', { count: saved.length })}
          </Button>
        )}
        <Button
          loading={saving.busy}
          disabled={chosen.length === 0}
          onClick={() => void saving.save(chosen)}
          data-testid="repair-save"
        >
          {t('Save in {count, plural, one {# draft} other {# drafts}}', { count: chosen.length })}
        </Button>
      </footer>
    </div>
  );
}

function stateText({ result, outcome, hindrance, draft }: RepairRow): string {
  if (outcome !== undefined) {
    return outcome.state === 'saved' ? t('saved') : outcome.reason;
  }
  if (result === undefined) {
    return hindrance ?? '…';
  }
  if (hindrance !== undefined) {
    return hindrance;
  }
  const { added, removed } = lineCounts(draft.text, result.text);
  return `+${added} −${removed}`;
}

function DraftRow(props: {
  readonly row: RepairRow;
  readonly chosen: boolean;
  readonly shown: boolean;
  readonly onChoose: (wanted: boolean) => void;
  readonly onShow: () => void;
}) {
  const { row, chosen } = props;
  const { draft, outcome } = row;
  return (
    <li data-current={props.shown} data-testid="repair-draft" data-state={outcome?.state ?? 'open'}>
      <Checkbox
        size="xs"
        aria-label={t('Save the edit of {name}', { name: draft.name })}
        checked={chosen}
        disabled={!isReady(row)}
        onChange={(event) => props.onChoose(event.currentTarget.checked)}
      />
      <button type="button" className="sw-bare" onClick={props.onShow} aria-current={props.shown}>
        <strong>{draft.name}</strong>
        <span className="sw-faint">{stateText(row)}</span>
      </button>
    </li>
  );
}

function Edit(props: { readonly projectId: string; readonly row: RepairRow }) {
  const { draft, result, hindrance, outcome } = props.row;
  const saved = outcome?.state === 'saved';
  const before = saved ? outcome.before : draft.text;
  const after = saved ? draft.text : (result?.text ?? draft.text);
  return (
    <>
      <div className="sw-repair-edit-head">
        <strong>{draft.name}</strong>{' '}
        <AppLink to={paths.draft(props.projectId, draft.ref)}>{t('Open draft')}</AppLink>
      </div>
      {before === after ? (
        <p className="sw-faint">
          {hindrance ??
            (result === undefined
              ? t('Making the edit…')
              : t('Nothing changes yet. Fill in the fields.'))}
        </p>
      ) : (
        <DiffView
          before={before}
          after={after}
          label={t('The edit of {name}, line by line', { name: draft.name })}
        />
      )}
    </>
  );
}
