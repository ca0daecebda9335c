import { t } from '../../../preload/texts/t.ts';
import '../../ui/plain-table.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getWebhooks, putWebhook } from '../../../server/contract/dashboard/webhooks.ts';
import type { Webhook } from '../../../server/contract/platform/webhooks.ts';
import { call } from '../../data/api-client.ts';
import { every } from '../../data/failure-pace.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { useAction } from '../../data/use-action.ts';
import { ActionsHeading } from '../../ui/actions-heading.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { listText } from '../../ui/list-text.ts';
import { NewerRead } from '../../ui/newer-read.tsx';
import { rich } from '../../ui/rich.ts';
import { ServiceText } from '../../ui/service-text.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { readAgain } from './save-setting.tsx';
import { EditWebhook, RemoveWebhook, RotateSecret, ShowSecret } from './webhook-dialogs.tsx';
import { eventText, receiverName, receiverState, webhookOf } from './webhooks-model.ts';

const EVERY_MS = 15_000;

/** Which dialog is open, and about whom. */
type Asked =
  | { readonly what: 'add' }
  | { readonly what: 'change' | 'rotate' | 'remove'; readonly webhook: Webhook }
  | { readonly what: 'secret'; readonly secret: string };

/** Receivers of the platform's events with what can be done about them, and what was given up. */
export function WebhooksPart() {
  const query = useQuery({ ...routeQuery(getWebhooks), refetchInterval: every(EVERY_MS) });
  const hindrance = useHindrance('settings.write');
  const [asked, setAsked] = useState<Asked>();
  const { data } = query;
  const onClose = (): void => setAsked(undefined);
  const onSecret = (secret: string): void => setAsked({ what: 'secret', secret });
  return (
    <div data-testid="webhooks">
      <section className="sw-operate-section">
        <h2 className="sw-section-title">{t('Receivers')}</h2>
        {hindrance !== undefined && (
          <p>{t('{hindrance} Of each address only the host is shown.', { hindrance })}</p>
        )}
        <NewerRead query={query} rows={3} />
        {data?.available === false && (
          <p className="sw-faint">{t('This platform tells no other programs.')}</p>
        )}
        {data?.available === true && data.webhooks.length === 0 && (
          <p className="sw-faint">{t('There is no receiver: nobody is told.')}</p>
        )}
        {data !== undefined && data.webhooks.length > 0 && (
          <Receivers webhooks={data.webhooks} hindrance={hindrance} onAsk={setAsked} />
        )}
        {data?.available === true && (
          <Button
            size="xs"
            mt="sm"
            variant="default"
            disabled={hindrance !== undefined}
            title={hindrance}
            onClick={() => setAsked({ what: 'add' })}
            data-testid="webhook-add"
          >
            {t('Add a receiver…')}
          </Button>
        )}
      </section>
      {data !== undefined && data.webhooks.length > 0 && (
        <DeadLetters webhooks={data.webhooks} hindrance={hindrance} />
      )}
      {asked?.what === 'add' && (
        <EditWebhook webhook={undefined} onClose={onClose} onSecret={onSecret} />
      )}
      {asked?.what === 'change' && (
        <EditWebhook webhook={asked.webhook} onClose={onClose} onSecret={onSecret} />
      )}
      {asked?.what === 'rotate' && (
        <RotateSecret webhook={asked.webhook} onClose={onClose} onSecret={onSecret} />
      )}
      {asked?.what === 'remove' && <RemoveWebhook webhook={asked.webhook} onClose={onClose} />}
      {asked?.what === 'secret' && <ShowSecret secret={asked.secret} onClose={onClose} />}
    </div>
  );
}

interface Shared {
  readonly hindrance: string | undefined;
  readonly onAsk: (asked: Asked) => void;
}

function Receivers(props: Shared & { readonly webhooks: readonly Webhook[] }) {
  return (
    <table className="sw-plain-table" aria-label={t('Receivers')}>
      <thead>
        <tr>
          <th scope="col">{t('Receiver')}</th>
          <th scope="col">{t('State')}</th>
          <th scope="col">{t('Last delivery')}</th>
          <th scope="col" data-align="right">
            {t('Waiting')}
          </th>
          <th scope="col" data-align="right">
            {t('Given up')}
          </th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {props.webhooks.map((webhook) => (
          <Receiver key={webhook.id} {...props} webhook={webhook} />
        ))}
      </tbody>
    </table>
  );
}

/** What opens a dialog about a receiver, in short and in full. */
const DIALOGS = [
  { what: 'change', label: t('Change…'), full: (name: string) => t('Change {name}…', { name }) },
  {
    what: 'rotate',
    label: t('New secret…'),
    full: (name: string) => t('New secret for {name}…', { name }),
  },
  { what: 'remove', label: t('Remove…'), full: (name: string) => t('Remove {name}…', { name }) },
] as const;

function Receiver({ webhook, hindrance, onAsk }: Shared & { readonly webhook: Webhook }) {
  const { id, url, enabled, disabled_because, waiting, dead } = webhook;
  const state = receiverState(webhook);
  const name = receiverName(webhook);
  const switching = useAction(async () => {
    const body = webhookOf(webhook, !enabled);
    if (body === undefined) return;
    try {
      await call(putWebhook, { params: { webhook_id: id }, body });
    } finally {
      await readAgain(getWebhooks);
    }
  });
  const locked = { disabled: hindrance !== undefined, title: hindrance };
  return (
    <tr data-testid={`webhook-${id}`}>
      <th scope="row">
        {name}
        <div className="sw-webhook-url">{url}</div>
        <div className="sw-webhook-events">{listText(webhook.events.map(eventText))}</div>
      </th>
      <td>
        <Badge tone={state.tone}>{state.text}</Badge>
        {disabled_because !== null && (
          <div className="sw-webhook-why">
            <ServiceText>{disabled_because}</ServiceText>
          </div>
        )}
      </td>
      <td>
        <Attempts webhook={webhook} />
      </td>
      <td data-align="right">{waiting}</td>
      <td data-align="right">{dead}</td>
      <td data-align="right">
        <div className="sw-webhook-acts">
          <Button
            size="compact-xs"
            variant="default"
            loading={switching.busy}
            onClick={() => switching.start()}
            aria-label={enabled ? t('Pause {name}', { name }) : t('Resume {name}', { name })}
            {...locked}
          >
            {enabled ? t('Pause') : t('Resume')}
          </Button>
          {DIALOGS.map(({ what, label, full }) => (
            <Button
              key={what}
              size="compact-xs"
              variant="default"
              onClick={() => onAsk({ what, webhook })}
              aria-label={full(name)}
              {...locked}
            >
              {label}
            </Button>
          ))}
        </div>
        {switching.error !== undefined && <ErrorState compact error={switching.error} />}
      </td>
    </tr>
  );
}

/** When the receiver last took an event, and what the last failure said if it came later. */
function Attempts({ webhook }: { readonly webhook: Webhook }) {
  const { last_success_at: success, last_failure_at: failure, last_failure } = webhook;
  const isFailing = failure !== null && (success === null || failure > success);
  if (success === null && failure === null) return <span className="sw-faint">–</span>;
  return (
    <>
      {success !== null && <div>{rich('taken {ago}', { ago: <TimeAgo at={success} /> })}</div>}
      {isFailing && (
        <div>
          {rich('failed {ago}: {why}', {
            ago: <TimeAgo at={failure} />,
            why: <ServiceText>{last_failure ?? ''}</ServiceText>,
          })}
        </div>
      )}
    </>
  );
}
