import {
  IconAlertTriangle,
  IconBrain,
  IconDeviceFloppy,
  IconHistory,
  IconMessage,
  IconPoint,
  IconShieldCheck,
  IconTool,
  IconUser,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import type { Decided } from '../../data/use-decisions.ts';
import { durationText } from '../../ui/relative-time.ts';
import { barOf, placeOf, type TraceAxis } from './trace-axis.ts';
import type { TraceRow } from './trace-model.ts';
import { decidedText } from './trace-steps.ts';

const ICONS: Readonly<
  Record<TraceRow['kind'], ComponentType<{ size?: number; 'aria-hidden'?: boolean }>>
> = {
  llm: IconBrain,
  tool: IconTool,
  policy: IconShieldCheck,
  human: IconUser,
  node: IconPoint,
  checkpoint: IconDeviceFloppy,
  note: IconMessage,
  audit: IconHistory,
};

const STATE_TEXT: Readonly<Record<TraceRow['state'], string>> = {
  done: t('done'),
  running: t('in progress'),
  paused: t('handed over to a person'),
  failed: t('failed'),
  point: '',
};

function lengthText(row: TraceRow): string {
  if (row.state === 'running') {
    return t('running');
  }
  return row.durationMs > 0 ? durationText(row.durationMs) : '';
}

/** How many tokens a line used, with what went in and came out for who points at it. */
function Tokens(props: { readonly tokens: TraceRow['tokens'] }) {
  if (props.tokens === undefined) {
    return null;
  }
  const { input, output, total } = props.tokens;
  return (
    <span
      className="sw-trace-tokens"
      title={t('{input, number} tokens in, {output, number} out', { input, output })}
    >
      {t('{total, plural, one {# token} other {# tokens}}', { total })}
    </span>
  );
}

/** It began after the shown state; what takes time and begins as the state is saved comes after it. */
function isLater({ start, end }: TraceRow, until: number | null): boolean {
  return until !== null && (start > until || (start === until && end > start));
}

/** One line of the waterfall: what, where, and when on the common axis. */
export function TraceLine(props: {
  readonly row: TraceRow;
  readonly axis: TraceAxis;
  readonly selected: boolean;
  /** Who ended this wait, and how. */
  readonly decided: Decided | undefined;
  /** What answered in its place; undefined = it ran. */
  readonly answeredBy: string | undefined;
  /** Epoch milliseconds of the state that the page shows; null = now. */
  readonly until: number | null;
  readonly onSelect: () => void;
}) {
  const { row, decided, until } = props;
  const bar = barOf(row, props.axis);
  const Icon = row.state === 'failed' ? IconAlertTriangle : ICONS[row.kind];
  return (
    <button
      type="button"
      className="sw-bare sw-trace-line"
      data-kind={row.kind}
      data-state={row.state}
      data-later={isLater(row, until)}
      data-row={row.id}
      aria-pressed={props.selected}
      onClick={props.onSelect}
    >
      <span
        className="sw-trace-name"
        title={[row.what, row.node, decided === undefined ? '' : decidedText(decided)]
          .filter((part) => part !== '')
          .join(' ')}
        style={{ paddingInlineStart: row.depth * 14 }}
      >
        <span className="sw-trace-who">
          <Icon size={14} aria-hidden />
          <span className="sw-trace-what">{row.what}</span>
          {row.node !== '' && <strong>{row.node}</strong>}
          {row.item?.source === 'note' && <span className="sw-trace-note">{row.input}</span>}
          {props.answeredBy !== undefined && (
            <span
              className="sw-trace-offline"
              title={t('It did not run: an answer stood in for it')}
            >
              {props.answeredBy}
            </span>
          )}
          {row.offline && (
            <span
              className="sw-trace-offline"
              title={t('The offline runtime answered, not a model')}
            >
              {t('offline')}
            </span>
          )}
          <Tokens tokens={row.tokens} />
        </span>
        {decided !== undefined && (
          <span className="sw-trace-decided" title={new Date(decided.at).toLocaleString(locale())}>
            {decidedText(decided)}
          </span>
        )}
        <span className="sw-visually-hidden">{STATE_TEXT[row.state]}</span>
      </span>
      <span className="sw-trace-axis" aria-hidden>
        {props.axis.cuts.map(({ left }) => (
          <i key={left} className="sw-trace-cut" style={{ left: `${left}%` }} />
        ))}
        <span className="sw-trace-bar" style={{ left: `${bar.left}%`, width: `${bar.width}%` }} />
        <Until axis={props.axis} until={until} />
      </span>
      <span className="sw-trace-length">{lengthText(row)}</span>
    </button>
  );
}

function Until(props: { readonly axis: TraceAxis; readonly until: number | null }) {
  return props.until === null ? null : (
    <i className="sw-trace-until" style={{ left: `${placeOf(props.axis, props.until)}%` }} />
  );
}

/** The head of the waterfall: where the axis begins and ends, what was cut, and the shown instant. */
export function TraceAxisHead(props: { readonly axis: TraceAxis; readonly until: number | null }) {
  const { axis, until } = props;
  return (
    <div className="sw-trace-line sw-trace-head" aria-hidden>
      <span className="sw-faint">{t('event')}</span>
      <span className="sw-trace-axis">
        {axis.cuts.map(({ left, ms }) => (
          <span key={left} className="sw-trace-wait" style={{ left: `${left}%` }}>
            {t('{duration} idle', { duration: durationText(ms) })}
          </span>
        ))}
        <Until axis={axis} until={until} />
      </span>
      <span className="sw-trace-length">{t('took')}</span>
    </div>
  );
}
