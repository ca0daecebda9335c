import { t } from '../../../preload/texts/t.ts';
import {
  EVENT_TYPES,
  type EventType,
  type Webhook,
  type WebhookBody,
  webhookBody,
} from '../../../server/contract/platform/webhooks.ts';
import type { Tone } from '../../ui/status-badge.tsx';

/** What each event tells, in the order in which they are offered. */
export const EVENTS: readonly { readonly type: EventType; readonly text: string }[] = [
  { type: 'run.ended', text: t('a run is over') },
  { type: 'task.created', text: t('a person has to answer') },
  { type: 'deadline.near', text: t('a deadline comes near') },
];

/** A receiver as it is filled in. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
}

export const NEW_WEBHOOK: WebhookDraft = { url: '', description: '', events: EVENT_TYPES };

/** What is stored of a draft; undefined while something is missing or no address for events. */
export function webhookOf(draft: WebhookDraft, enabled: boolean): WebhookBody | undefined {
  const { url, description, events } = draft;
  const read = webhookBody.safeParse({
    url: url.trim(),
    description: description.trim(),
    events: EVENT_TYPES.filter((type) => events.includes(type)),
    enabled,
  });
  return read.success ? read.data : undefined;
}

/** What keeps a typed address from being one for events; undefined for a good one and for none. */
export function addressProblem(url: string): string | undefined {
  const text = url.trim();
  return text === '' || webhookBody.shape.url.safeParse(text).success
    ? undefined
    : t('An address begins with https:// or http:// and names a server.');
}

/** What an event tells; one that this window does not know by its name. */
export function eventText(type: string): string {
  return EVENTS.find((each) => each.type === type)?.text ?? type;
}

/** What a receiver is called: its description, else the host of its address. */
export function receiverName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description === '' ? new URL(url).host : description;
}

/** Whether a receiver takes events, by how the last attempt ended. */
export function receiverState(
  webhook: Pick<Webhook, 'enabled' | 'disabled_because' | 'last_success_at' | 'last_failure_at'>,
): { readonly tone: Tone; readonly text: string } {
  if (webhook.disabled_because !== null) return { tone: 'danger', text: t('switched off') };
  if (!webhook.enabled) return { tone: 'neutral', text: t('paused') };
  const { last_success_at: success, last_failure_at: failure } = webhook;
  if (failure !== null && (success === null || failure > success)) {
    return { tone: 'warning', text: t('does not take them') };
  }
  return success === null
    ? { tone: 'neutral', text: t('not asked yet') }
    : { tone: 'success', text: t('takes them') };
}
