import type { AuditEventType } from '../../contract/platform/audit-types.ts';
import type { Webhook, WebhookBody } from '../../contract/platform/webhooks.ts';
import { eventType } from '../../contract/platform/webhooks.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { WebhooksTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { refuse } from '../refuse.ts';
import { newSecret } from './event-signature.ts';
import { PrivateAddress, refusePrivateHost } from './public-address.ts';

const MOST_WEBHOOKS = 100;
/** How long the secret before a new one signs too. */
const OVERLAP_SECONDS = 24 * 3600;

type Deps = Pick<
  PlatformDeps,
  'events' | 'eventKey' | 'config' | 'commits' | 'clock' | 'ids' | 'recordAudit'
>;

/** Who asks for what, for the audit. */
interface Asked {
  readonly actor: string;
}

function toWebhook({ events }: Deps, row: WebhooksTable): Webhook {
  const count = (status: string): number =>
    events.counts().find((each) => each.webhook_id === row.id && each.status === status)?.n ?? 0;
  const { id, url, description, disabled_because, created_at, updated_at } = row;
  const { last_success_at, last_failure_at, last_failure } = row;
  return {
    ...{ id, url, description, disabled_because, created_at, updated_at },
    ...{ last_success_at, last_failure_at, last_failure },
    events: eventType.array().parse(JSON.parse(row.events)),
    enabled: row.enabled === 1,
    waiting: count('waiting'),
    dead: count('dead'),
  };
}

export function listedWebhooks(deps: Deps): Webhook[] {
  return deps.events.webhooks().map((row) => toWebhook(deps, row));
}

function refuseBadAddress({ config }: Deps, url: string): void {
  if (config.events.allowPrivate) return;
  const parsed = new URL(url);
  const message =
    'An event is sent over https to an address of the internet; SERV_EVENTS_PRIVATE_ADDRESSES allows others.';
  if (parsed.protocol !== 'https:') throw refuse('invalid_request', { message });
  try {
    refusePrivateHost(parsed);
  } catch (error) {
    if (error instanceof PrivateAddress) throw refuse('invalid_request', { message });
    throw error;
  }
}

function known({ events }: Deps, id: string): WebhooksTable {
  const row = events.webhook(id);
  if (row === undefined) throw refuse('not_found');
  return row;
}

/** An address may hold a secret of the receiver: its host says enough. */
function auditFacts(row: WebhooksTable): JsonObject {
  return {
    webhook_id: row.id,
    host: new URL(row.url).host,
    events: JSON.parse(row.events),
    enabled: row.enabled === 1,
  };
}

function save(deps: Deps, row: WebhooksTable, event_type: AuditEventType, { actor }: Asked) {
  return deps.commits.add(() => {
    deps.events.saveWebhook(row);
    deps.recordAudit({ event_type, actor, metadata: auditFacts(row) });
    return toWebhook(deps, row);
  });
}

function columnsOf(body: WebhookBody) {
  return {
    url: body.url,
    description: body.description,
    events: JSON.stringify([...new Set(body.events)]),
    enabled: body.enabled ? 1 : 0,
  };
}

/** @throws Refusal invalid_request for an address that is not allowed, or one receiver too many */
export async function addWebhook(deps: Deps, body: WebhookBody, asked: Asked) {
  refuseBadAddress(deps, body.url);
  if (deps.events.webhooks().length >= MOST_WEBHOOKS) {
    throw refuse('invalid_request', {
      message: `There are ${MOST_WEBHOOKS} receivers; remove one.`,
    });
  }
  const id = deps.ids.uuid();
  const secret = newSecret();
  const now = toTimestamp(deps.clock.now());
  const row: WebhooksTable = {
    ...columnsOf(body),
    id,
    disabled_because: null,
    secret: deps.eventKey.seal(id, secret),
    previous_secret: null,
    previous_until: null,
    created_at: now,
    updated_at: now,
    ...{ last_success_at: null, last_failure_at: null, last_failure: null },
  };
  return { webhook: await save(deps, row, 'webhook.created', asked), secret };
}

/** @throws Refusal not_found; invalid_request for an address that is not allowed */
export async function changeWebhook(deps: Deps, id: string, body: WebhookBody, asked: Asked) {
  const row = known(deps, id);
  refuseBadAddress(deps, body.url);
  const updated_at = toTimestamp(deps.clock.now());
  const disabled_because = body.enabled ? null : row.disabled_because;
  const changed = { ...row, ...columnsOf(body), disabled_because, updated_at };
  return save(deps, changed, 'webhook.changed', asked);
}

/** @throws Refusal not_found */
export async function rotateSecret(deps: Deps, id: string, asked: Asked) {
  const row = known(deps, id);
  const secret = newSecret();
  const now = deps.clock.now();
  const changed: WebhooksTable = {
    ...row,
    secret: deps.eventKey.seal(id, secret),
    previous_secret: row.secret,
    previous_until: now / 1000 + OVERLAP_SECONDS,
    updated_at: toTimestamp(now),
  };
  return { webhook: await save(deps, changed, 'webhook.rotated', asked), secret };
}

/** @throws Refusal not_found */
export function removeWebhook(deps: Deps, id: string, { actor }: Asked) {
  const row = known(deps, id);
  return deps.commits.add(() => {
    deps.events.deleteWebhook(id);
    deps.recordAudit({ event_type: 'webhook.deleted', actor, metadata: auditFacts(row) });
    return { id };
  });
}

/** @throws Refusal not_found */
export function repeatDead(deps: Deps, id: string, eventId: string | null, { actor }: Asked) {
  known(deps, id);
  return deps.commits.add(() => {
    const repeated = deps.events.repeat(id, eventId, toTimestamp(deps.clock.now()));
    if (repeated > 0) {
      const metadata = { webhook_id: id, event_id: eventId, repeated };
      deps.recordAudit({ event_type: 'webhook.repeated', actor, metadata });
    }
    return { repeated };
  });
}
