import type { AuditAction } from '../../contract/dashboard/audit-actions.ts';
import * as contract from '../../contract/dashboard/webhooks.ts';
import {
  createWebhook,
  deleteWebhook,
  listEventDeliveries,
  listWebhooks,
  repeatEventDeliveries,
  replaceWebhook,
  rotateWebhookSecret,
  type Webhook,
} from '../../contract/platform/webhooks.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { readWhole } from '../read-whole.ts';
import { unlessNotFound } from '../runs/run-reads.ts';

const readWebhooks = readWhole(listWebhooks.responses[200], 'the list of receivers');
const readWebhook = readWhole(replaceWebhook.responses[200], 'the receiver');
const readMade = readWhole(createWebhook.responses[201], 'the receiver with its secret');
const readRotated = readWhole(rotateWebhookSecret.responses[200], 'the receiver with its secret');
const readDeliveries = readWhole(listEventDeliveries.responses[200], 'the list of deliveries');
const readRepeated = readWhole(repeatEventDeliveries.responses[200], 'how many were repeated');

/** A path or a query may hold a secret of the receiver; its host says who it is. */
function withHostOnly(webhook: Webhook): Webhook {
  return { ...webhook, url: `${new URL(webhook.url).origin}/…` };
}

/** Receivers of the platform's events; they are its own, and so are their rules. */
export function registerWebhookRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  const act = <T>(
    principal: Operator,
    action: AuditAction,
    target: string | ((result: T) => string),
    run: () => Promise<T>,
  ): Promise<T> => {
    const { environment } = principal;
    return audited(deps.audit, principal, { action, target, environment }, run);
  };

  app.implement(contract.getWebhooks, async (_input, { principal, signal }) => {
    const asked = principal.platform().read(listWebhooks, readWebhooks, {}, { signal });
    const list = await unlessNotFound(asked);
    const webhooks = list?.webhooks ?? [];
    const mayChange = principal.capabilities.includes('settings.write');
    return {
      available: list !== undefined,
      webhooks: mayChange ? webhooks : webhooks.map(withHostOnly),
    };
  });

  // A repeated attempt would add a second receiver, or a second secret: these go out once.
  app.implement(contract.postWebhook, ({ body }, { principal }) =>
    act(
      principal,
      'webhook.create',
      ({ webhook }) => webhook.id,
      () => principal.platform().read(createWebhook, readMade, { body }, { attempts: 1 }),
    ),
  );

  app.implement(contract.rotateWebhook, ({ params }, { principal }) =>
    act(principal, 'webhook.rotate', params.webhook_id, () =>
      principal.platform().read(rotateWebhookSecret, readRotated, { params }, { attempts: 1 }),
    ),
  );

  app.implement(contract.putWebhook, ({ params, body }, { principal }) =>
    act(principal, 'webhook.put', params.webhook_id, () =>
      principal.platform().read(replaceWebhook, readWebhook, { params, body }),
    ),
  );

  app.implement(contract.deleteWebhook, ({ params }, { principal }) =>
    act(principal, 'webhook.delete', params.webhook_id, async () => {
      await principal.platform().call(deleteWebhook, { params });
      return { id: params.webhook_id };
    }),
  );

  app.implement(contract.getDeadLetters, async ({ query }, { principal, signal }) => {
    const asked = { query: { status: 'dead' as const, limit: query.limit } };
    const list = await unlessNotFound(
      principal.platform().read(listEventDeliveries, readDeliveries, asked, { signal }),
    );
    return { rows: list?.deliveries ?? [], total: list?.total ?? 0 };
  });

  app.implement(contract.repeatDeadLetters, ({ params, body }, { principal }) =>
    act(principal, 'webhook.repeat', params.webhook_id, () =>
      principal.platform().read(repeatEventDeliveries, readRepeated, { params, body }),
    ),
  );
}
