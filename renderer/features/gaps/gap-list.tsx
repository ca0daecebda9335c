import {
  IconAlertTriangle,
  IconChevronDown,
  IconChevronRight,
  IconCircleCheck,
  IconCircleX,
  IconHistory,
  IconInfoCircle,
} from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { GapSeverity } from '../../../server/contract/studio/gaps.ts';
import { plainTitle } from '../../../server/gaps/estate/shared-causes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ServiceText } from '../../ui/service-text.tsx';
import { statusText } from '../../ui/status-badge.tsx';
import { CauseTitle } from './cause-title.tsx';
import type { GapCard } from './gap-model.ts';
import { isOpen, standingText } from './gap-model.ts';
import type { GapRow } from './gap-rows.ts';
import type { Rehearsed } from './use-rehearsed.ts';

const TITLES: Readonly<Record<GapSeverity, string>> = {
  blocking: t('Blocking'),
  manual: t('To review'),
  info: t('For information'),
};
const HEIGHTS = { severity: 34, cause: 52, gap: 52, under: 30 } as const;

function heightOf(row: GapRow | undefined): number {
  const type = row?.type ?? 'gap';
  return row?.type === 'gap' && row.under !== null ? HEIGHTS.under : HEIGHTS[type];
}

function iconOf(severity: GapSeverity, standing: GapCard['standing']) {
  if (standing === 'attested' || standing === 'acknowledged') {
    return IconCircleCheck;
  }
  if (standing === 'lapsed') {
    return IconHistory;
  }
  if (severity === 'blocking') {
    return IconCircleX;
  }
  return severity === 'manual' ? IconAlertTriangle : IconInfoCircle;
}

export interface GapListProps {
  readonly rows: readonly GapRow[];
  readonly chosen: string | null;
  readonly onChoose: (rowId: string) => void;
  readonly onToggle: (rowId: string) => void;
  /** What the last rehearsal met, by source element. */
  readonly rehearsed: Rehearsed;
}

/** The gaps by severity and cause; only the lines in view are drawn. */
export function GapList(props: GapListProps) {
  const { rows, chosen } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
  });
  const at = rows.findIndex(({ id }) => id === chosen);
  useEffect(() => {
    if (at >= 0) {
      // The heading of the first gap comes along.
      virtual.scrollToIndex(at === 1 ? 0 : at, { align: 'auto' });
    }
  }, [at, virtual]);
  return (
    <div className="sw-gap-rows" ref={scroll} data-testid="gap-list">
      {rows.length === 0 && (
        <EmptyState compact title={t('No gap fits')}>
          {t('Change the search or the kinds above.')}
        </EmptyState>
      )}
      <ul aria-label={t('Gaps')} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <li
              key={item.key}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
            >
              <Row {...props} row={row} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Row(props: GapListProps & { readonly row: GapRow }) {
  const { row } = props;
  if (row.type === 'severity') {
    return (
      <h3 className="sw-gap-group" data-testid={`gap-group-${row.severity}`}>
        {TITLES[row.severity]}
        <span className="sw-faint">
          {row.severity === 'info'
            ? row.total
            : t('{open} of {total} open', { open: row.open, total: row.total })}
        </span>
      </h3>
    );
  }
  return row.type === 'cause' ? (
    <CauseRow {...props} row={row} />
  ) : (
    <GapLine
      row={row}
      current={row.id === props.chosen}
      met={props.rehearsed.get(row.card.gap.source_ref.source_id)}
      onChoose={props.onChoose}
    />
  );
}

function CauseRow(props: GapListProps & { readonly row: Extract<GapRow, { type: 'cause' }> }) {
  const { row, chosen } = props;
  const { cause } = row;
  const Chevron = row.expanded ? IconChevronDown : IconChevronRight;
  const settled = cause.open === 0 && cause.severity !== 'info';
  const Icon = iconOf(cause.severity, settled ? 'attested' : 'open');
  const names = cause.cards
    .map(({ gap }) => (cause.by === 'words' ? gap.source_ref.source_label : plainTitle(gap)))
    .join(', ');
  return (
    <div
      className="sw-gap-row"
      data-current={row.id === chosen}
      data-severity={cause.severity}
      data-standing={settled ? 'attested' : 'open'}
    >
      <button
        type="button"
        className="sw-gap-fold"
        aria-expanded={row.expanded}
        aria-label={t('{detail} {count} gaps: {title}', {
          detail: row.expanded ? t('Fold') : t('Unfold'),
          count: cause.cards.length,
          title: cause.title,
        })}
        onClick={() => props.onToggle(row.id)}
        data-testid="fold-cause"
      >
        <Chevron size={14} aria-hidden />
      </button>
      <button
        type="button"
        className="sw-gap-main"
        aria-current={row.id === chosen}
        data-testid="cause-row"
        data-kind={cause.cards[0]?.gap.kind}
        onClick={() => props.onChoose(row.id)}
        onDoubleClick={() => props.onToggle(row.id)}
      >
        <Icon size={16} aria-hidden />
        <span className="sw-gap-row-title">
          {cause.subject === '' ? (
            <CauseTitle cause={cause} />
          ) : (
            <>
              {cause.subject}
              <span className="sw-faint">
                {' · '}
                <CauseTitle cause={cause} />
              </span>
            </>
          )}
        </span>
        <span className="sw-gap-row-sub">{names}</span>
        <span
          className="sw-gap-count"
          title={t('{open} of {count} open', { open: cause.open, count: cause.cards.length })}
        >
          {settled || cause.severity === 'info'
            ? cause.cards.length
            : `${cause.open}/${cause.cards.length}`}
          <span className="sw-visually-hidden"> {t('gaps open')}</span>
        </span>
      </button>
    </div>
  );
}

function GapLine(props: {
  readonly row: Extract<GapRow, { type: 'gap' }>;
  readonly current: boolean;
  readonly met: string | undefined;
  readonly onChoose: (rowId: string) => void;
}) {
  const { card, under } = props.row;
  const { gap } = card;
  const Icon = iconOf(gap.severity, card.standing);
  return (
    <div
      className="sw-gap-row"
      data-current={props.current}
      data-under={under !== null}
      data-severity={gap.severity}
      data-standing={card.standing}
    >
      <button
        type="button"
        className="sw-gap-main"
        aria-current={props.current}
        data-gap={gap.ref.gap_id}
        data-severity={gap.severity}
        data-standing={card.standing}
        data-testid={`gap-${gap.ref.gap_id}`}
        onClick={() => props.onChoose(gap.ref.gap_id)}
      >
        <Icon
          size={16}
          aria-label={isOpen(card) ? statusText(gap.severity) : standingText(card.standing)}
        />
        <span className="sw-gap-row-title" title={gap.title}>
          {under?.by === 'words' ? (
            gap.source_ref.source_label
          ) : (
            <ServiceText>{plainTitle(gap)}</ServiceText>
          )}
        </span>
        {under === null && <span className="sw-gap-row-sub">{gap.source_ref.source_label}</span>}
        {props.met !== undefined && (
          <span className="sw-gap-met" title={t('In the last rehearsal')} data-testid="gap-met">
            {props.met}
          </span>
        )}
      </button>
    </div>
  );
}
