import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { durationText } from '../../ui/relative-time.ts';
import type { TraceRow } from './trace-model.ts';

function Preview(props: { readonly title: string; readonly text: string | null }) {
  if (props.text === null || props.text === '') {
    return null;
  }
  return (
    <>
      <dt>{props.title}</dt>
      <dd>
        <pre className="sw-trace-preview">{props.text}</pre>
      </dd>
    </>
  );
}

/** Everything that is known of a chosen line. */
export function TraceEventDetail(props: { readonly row: TraceRow; readonly onClose: () => void }) {
  const { row } = props;
  return (
    <section className="sw-trace-detail" aria-label="Chosen event" data-testid="trace-detail">
      <header>
        <h3 className="sw-section-title">
          {row.what} {row.node}
        </h3>
        <ActionIcon variant="subtle" size="sm" onClick={props.onClose} aria-label="Close event">
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </header>
      <dl className="sw-facts">
        {row.events.map((event) => (
          <div key={event.event_id ?? event.ts} style={{ display: 'contents' }}>
            <dt>{event.type.replaceAll('_', ' ')}</dt>
            <dd className="sw-mono">{event.ts}</dd>
          </div>
        ))}
        {row.durationMs > 0 && (
          <>
            <dt>Duration</dt>
            <dd>{durationText(row.durationMs)}</dd>
          </>
        )}
        <Preview title="Error" text={row.error} />
        <Preview title="Input" text={row.input} />
        <Preview title="Output" text={row.output} />
      </dl>
      <details>
        <summary className="sw-faint">As the service sent it</summary>
        <pre className="sw-trace-preview">{JSON.stringify(row.events, null, 2)}</pre>
      </details>
    </section>
  );
}
