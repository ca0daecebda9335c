import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { t } from '../../../preload/texts/t.ts';
import { getTrace } from '../../../server/contract/dashboard/run-record.ts';
import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import type { traceEvent } from '../../../server/contract/platform/run-reads.ts';
import { routeQuery } from '../../data/query-client.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { readableText } from '../../ui/readable-text.ts';
import { durationText } from '../../ui/relative-time.ts';
import type { TraceRow } from './trace-model.ts';

type PlatformEvent = z.output<typeof traceEvent>;

/** How the platform ends a text that it shortened. */
const CUT_MARK = '...[truncated]';

function Preview(props: { readonly title: string; readonly text: string | null }) {
  if (props.text === null || props.text === '') {
    return null;
  }
  return (
    <section className="sw-trace-payload">
      <h4>
        {props.title} <CopyCode value={props.text} shown={t('copy')} />
      </h4>
      <pre className="sw-trace-preview">{readableText(props.text)}</pre>
      {props.text.endsWith(CUT_MARK) && (
        <p className="sw-faint">
          {t('Cut by the platform; the whole text stands in the checkpoints.')}
        </p>
      )}
    </section>
  );
}

/** One fact of a chosen line. */
export function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  );
}

/** What the platform keeps of the events of a line, read by their places in the trace. */
function usePlatformEvents(runId: string, places: readonly number[]): readonly PlatformEvent[] {
  return useQueries({
    queries: places.map((offset) => ({
      ...routeQuery(getTrace, { params: { run_id: runId }, query: { limit: 1, offset } }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: (results) => results.flatMap(({ data }) => data?.events ?? []),
  });
}

function placesOf(row: TraceRow, events: readonly TraceEvent[]): number[] {
  const ids = new Set(row.events.map(({ event_id }) => event_id));
  return events.flatMap(({ event_id }, place) =>
    event_id !== null && ids.has(event_id) ? [place] : [],
  );
}

function PlatformFacts(props: { readonly events: readonly PlatformEvent[] }) {
  const last = props.events.at(-1);
  if (last === undefined) {
    return null;
  }
  const metadata = new Map(
    props.events
      .flatMap((event) => Object.entries(event.metadata))
      .filter(([name]) => name !== 'duration_ms'),
  );
  const model = [last.model_provider, last.model_name].filter((part) => part !== null).join(' / ');
  return (
    <>
      {last.agent_name !== null && <Fact name={t('Agent')}>{last.agent_name}</Fact>}
      {model !== '' && (
        <Fact name={t('Model')}>
          {model}
          {last.runtime_mode !== null && <span className="sw-faint"> ({last.runtime_mode})</span>}
        </Fact>
      )}
      {last.tool_name !== null && <Fact name={t('Tool')}>{last.tool_name}</Fact>}
      {last.guardrail_id !== null && <Fact name={t('Guardrail')}>{last.guardrail_id}</Fact>}
      {[...metadata].map(([name, value]) => (
        <Fact key={name} name={name.replaceAll('_', ' ')}>
          <span className="sw-mono">
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </span>
        </Fact>
      ))}
    </>
  );
}

/** Everything that is known of a chosen line. */
export function TraceEventDetail(props: {
  readonly runId: string;
  readonly row: TraceRow;
  /** The whole trace, whose order is that of the platform. */
  readonly events: readonly TraceEvent[];
  readonly onClose: () => void;
}) {
  const { row } = props;
  const platform = usePlatformEvents(props.runId, placesOf(row, props.events));
  return (
    <section className="sw-trace-detail" aria-label={t('Chosen event')} data-testid="trace-detail">
      <header>
        <h3 className="sw-section-title">
          {row.what} {row.node}
        </h3>
        <ActionIcon
          variant="subtle"
          size="sm"
          onClick={props.onClose}
          aria-label={t('Close event')}
        >
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </header>
      <Preview title={t('Error')} text={row.error} />
      <Preview title={t('Input')} text={row.input} />
      <Preview title={t('Output')} text={row.output} />
      <dl className="sw-facts">
        {row.durationMs > 0 && <Fact name={t('Took')}>{durationText(row.durationMs)}</Fact>}
        <PlatformFacts events={platform} />
        {row.events.map((event) => (
          <Fact key={event.event_id ?? event.ts} name={event.type.replaceAll('_', ' ')}>
            <span className="sw-mono">{event.ts}</span>
          </Fact>
        ))}
      </dl>
      <details>
        <summary className="sw-faint">{t('As the service sent it')}</summary>
        <pre className="sw-trace-preview">
          {JSON.stringify(platform.length === 0 ? row.events : platform, null, 2)}
        </pre>
      </details>
    </section>
  );
}
