import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import {
  getDeadLetters,
  getWebhooks,
  repeatDeadLetters,
} from '../../../server/contract/dashboard/webhooks.ts';
import type { Webhook } from '../../../server/contract/platform/webhooks.ts';
import type { SuccessBody } from '../../../server/contract/route.ts';
import { call } from '../../data/api-client.ts';
import { routeKey, routeQuery } from '../../data/query-client.ts';
import { useAction } from '../../data/use-action.ts';
import { ActionsHeading } from '../../ui/actions-heading.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ServiceText } from '../../ui/service-text.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { RunLink } from './audit-parts.tsx';
import { readAgain } from './save-setting.tsx';
import { eventText, receiverName } from './webhooks-model.ts';

type Letter = SuccessBody<typeof getDeadLetters>['rows'][number];

interface Repeated {
  readonly webhook_id: string;
  /** Null: all of the receiver. */
  readonly event_id: string | null;
}

async function repeat(asked: readonly Repeated[]): Promise<void> {
  let count = 0;
  try {
    for (const { webhook_id, event_id } of asked) {
      const { repeated } = await call(repeatDeadLetters, {
        params: { webhook_id },
        body: { event_id },
      });
      count += repeated;
    }
  } finally {
    if (count > 0) {
      notifyDone(t('{count, plural, one {# event is} other {# events are}} sent again', { count }));
    }
    await readAgain(getWebhooks, getDeadLetters);
  }
}

/** Events that were given up, each with its last failure; one or all are sent again. */
export function DeadLetters(props: {
  readonly webhooks: readonly Webhook[];
  readonly hindrance: string | undefined;
}) {
  const { webhooks, hindrance } = props;
  const count = webhooks.reduce((sum, { dead }) => sum + dead, 0);
  // Read again when there are more or fewer, not by the clock: it is a walk over all deliveries.
  const query = useQuery({
    ...routeQuery(getDeadLetters),
    queryKey: [...routeKey(getDeadLetters), count],
    enabled: count > 0,
    placeholderData: (before) => before,
  });
  const repeating = useAction(repeat);
  const ready = webhooks.filter(({ dead, enabled }) => dead > 0 && enabled);
  const locked = hindrance ?? (ready.length === 0 ? t('Resume the receiver first.') : undefined);
  const rows = query.data?.rows ?? [];
  return (
    <section className="sw-operate-section" data-testid="dead-letters">
      <h2 className="sw-section-title">{t('Given up')}</h2>
      {count === 0 ? (
        <p className="sw-faint">{t('No event was given up.')}</p>
      ) : (
        <>
          <p>
            {t(
              'Every attempt at these failed. They are kept for a while and can be sent again; a receiver that saw one already knows it by its id.',
            )}
          </p>
          <Button
            size="xs"
            variant="default"
            mb="xs"
            disabled={locked !== undefined}
            title={locked}
            loading={repeating.busy}
            onClick={() =>
              repeating.start(ready.map(({ id }) => ({ webhook_id: id, event_id: null })))
            }
            data-testid="repeat-all"
          >
            {t('Send all again')}
          </Button>
          {repeating.error !== undefined && (
            <ErrorState compact title={t('Not all were sent again')} error={repeating.error} />
          )}
          <Unread query={query} rows={3} />
          {rows.length > 0 && (
            <Letters
              rows={rows}
              webhooks={webhooks}
              hindrance={hindrance}
              busy={repeating.busy}
              onRepeat={(letter) => repeating.start([letter])}
            />
          )}
          {query.data !== undefined && query.data.total > rows.length && (
            <p className="sw-faint">
              {t('The newest {shown} of {total}.', {
                shown: rows.length,
                total: query.data.total,
              })}
            </p>
          )}
        </>
      )}
    </section>
  );
}

function Letters(props: {
  readonly rows: readonly Letter[];
  readonly webhooks: readonly Webhook[];
  readonly hindrance: string | undefined;
  readonly busy: boolean;
  readonly onRepeat: (letter: Letter) => void;
}) {
  const { rows, webhooks, hindrance, busy, onRepeat } = props;
  return (
    <table className="sw-plain-table" aria-label={t('Given up')}>
      <thead>
        <tr>
          <th scope="col">{t('Given up')}</th>
          <th scope="col">{t('Event')}</th>
          <th scope="col">{t('Run')}</th>
          <th scope="col">{t('Receiver')}</th>
          <th scope="col">{t('Last failure')}</th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {rows.map((letter) => {
          const receiver = webhooks.find(({ id }) => id === letter.webhook_id);
          const locked =
            hindrance ??
            (receiver?.enabled === false ? t('Resume the receiver first.') : undefined);
          return (
            <tr
              key={`${letter.webhook_id} ${letter.event_id}`}
              data-testid={`letter-${letter.event_id}`}
            >
              <td className="sw-unbroken">
                <TimeAgo at={letter.updated_at} />
              </td>
              <td>{eventText(letter.type)}</td>
              <td className="sw-unbroken">
                <RunLink runId={letter.run_id} />
              </td>
              <td>{receiver === undefined ? '' : receiverName(receiver)}</td>
              <td>
                <ServiceText>{letter.last_error ?? ''}</ServiceText>{' '}
                <span className="sw-faint">
                  {t('{count, plural, one {# attempt} other {# attempts}}', {
                    count: letter.attempts,
                  })}
                </span>
              </td>
              <td data-align="right">
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={locked !== undefined || busy}
                  title={locked}
                  onClick={() => onRepeat(letter)}
                >
                  {t('Send again')}
                </Button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
