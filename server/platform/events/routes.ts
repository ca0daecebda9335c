import {
  createWebhook,
  DELIVERY_STATUSES,
  deleteWebhook,
  listEventDeliveries,
  listWebhooks,
  repeatEventDeliveries,
  replaceWebhook,
  rotateWebhookSecret,
} from '../../contract/platform/webhooks.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import {
  addWebhook,
  changeWebhook,
  listedWebhooks,
  removeWebhook,
  repeatDead,
  rotateSecret,
} from './webhooks.ts';

function statusOf(text: string) {
  return DELIVERY_STATUSES.find((status) => status === text) ?? 'dead';
}

/** Receivers of events, and what became of what was sent to them. */
export function registerEventRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(listWebhooks, () => {
    const webhooks = listedWebhooks(deps);
    return { webhooks, count: webhooks.length };
  });
  app.implement(createWebhook, ({ body }, { principal }) =>
    addWebhook(deps, body, { actor: principal.name }),
  );
  app.implement(listEventDeliveries, ({ query }) => {
    const filter = { status: query.status, webhook_id: query.webhook_id };
    const deliveries = deps.events
      .list(filter, query.limit)
      .map((row) => ({ ...row, status: statusOf(row.status) }));
    return { deliveries, count: deliveries.length, total: deps.events.count(filter) };
  });
  app.implement(replaceWebhook, ({ params, body }, { principal }) =>
    changeWebhook(deps, params.webhook_id, body, { actor: principal.name }),
  );
  app.implement(deleteWebhook, ({ params }, { principal }) =>
    removeWebhook(deps, params.webhook_id, { actor: principal.name }),
  );
  app.implement(rotateWebhookSecret, ({ params }, { principal }) =>
    rotateSecret(deps, params.webhook_id, { actor: principal.name }),
  );
  app.implement(repeatEventDeliveries, ({ params, body }, { principal }) =>
    repeatDead(deps, params.webhook_id, body?.event_id ?? null, { actor: principal.name }),
  );
}
