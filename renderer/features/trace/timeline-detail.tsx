import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { actorName, doerName } from '../../ui/actor-name.ts';
import { checkpointWords } from '../../ui/checkpoint-words.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import type { TimelineItem } from './timeline-item.ts';
import { Fact } from './trace-event-detail.tsx';

function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function When(props: { readonly at: string }) {
  return (
    <Fact name={t('When')}>
      <TimeAgo at={props.at} /> <span className="sw-mono sw-faint">{props.at}</span>
    </Fact>
  );
}

function Facts(props: { readonly item: TimelineItem }) {
  const { item } = props;
  switch (item.source) {
    case 'checkpoint':
      return (
        <>
          <When at={item.state.at} />
          <Fact name={t('Saved after')}>{checkpointWords(item.state.type)}</Fact>
          {item.state.node !== '' && <Fact name={t('Step')}>{item.state.node}</Fact>}
        </>
      );
    case 'audit':
      return (
        <>
          <When at={item.event.created_at} />
          <Fact name={t('Who')}>{doerName(item.event)}</Fact>
          {item.event.operator !== null && (
            <Fact name={t('With the key')}>{actorName(item.event.actor)}</Fact>
          )}
          <Fact name={t('Where')}>{t('audit of the platform')}</Fact>
          {Object.entries(item.event.metadata).map(([name, value]) => (
            <Fact key={name} name={name.replaceAll('_', ' ')}>
              <span className="sw-mono">{jsonText(value)}</span>
            </Fact>
          ))}
        </>
      );
    case 'operator':
      return (
        <>
          <When at={item.entry.created_at} />
          <Fact name={t('Who')}>{actorName(item.entry.operator)}</Fact>
          <Fact name={t('Ended')}>{item.entry.outcome}</Fact>
          {item.entry.environment !== null && (
            <Fact name={t('Environment')}>{item.entry.environment}</Fact>
          )}
          <Fact name={t('Where')}>{t('what operators did in this dashboard')}</Fact>
        </>
      );
    case 'note':
      return (
        <>
          <When at={item.note.created_at} />
          <Fact name={t('Who')}>{actorName(item.note.created_by)}</Fact>
          {item.note.tags.length > 0 && <Fact name={t('Tags')}>{item.note.tags.join(', ')}</Fact>}
        </>
      );
  }
}

/** Everything that is known of a line beside the trace. */
export function TimelineDetail(props: {
  readonly title: ReactNode;
  readonly item: TimelineItem;
  /** Shows the run as it stood at a checkpoint. */
  readonly onShow: ((sequence: number) => void) | undefined;
  readonly onClose: () => void;
}) {
  const { item, onShow } = props;
  return (
    <section className="sw-trace-detail" aria-label={t('Chosen event')} data-testid="trace-detail">
      <header>
        <h3 className="sw-section-title">{props.title}</h3>
        <ActionIcon
          variant="subtle"
          size="sm"
          onClick={props.onClose}
          aria-label={t('Close event')}
        >
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </header>
      {item.source === 'note' && <p className="sw-trace-note-text">{item.note.body}</p>}
      <dl className="sw-facts">
        <Facts item={item} />
      </dl>
      {item.source === 'checkpoint' && onShow !== undefined && (
        <Button
          size="xs"
          variant="default"
          onClick={() => onShow(item.state.sequence)}
          data-testid="show-checkpoint"
        >
          {t('Show the run at this checkpoint')}
        </Button>
      )}
    </section>
  );
}
