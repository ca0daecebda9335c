import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { eventDelivery, webhook, webhookBody, withSecret } from '../platform/webhooks.ts';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED } from './fields.ts';

// Additive: receivers of the platform's events, and what could not be delivered (docs/events.md).

const webhookPath = z.object({ webhook_id: z.string() });

export const getWebhooks = dashboardRoute.get('getWebhooks', {
  path: '/webhooks',
  summary: 'Receivers of events; of an address only its host, for who may not change them',
  responses: {
    200: z
      // `available` is false for a platform that tells nobody of events.
      .object({ available: z.boolean(), webhooks: z.array(webhook) })
      .meta({ id: 'WebhookList' }),
  },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const postWebhook = dashboardRoute.post('postWebhook', {
  path: '/webhooks',
  summary: 'Add a receiver; the answer shows its secret, no other does',
  body: webhookBody,
  responses: { 201: withSecret },
  access: 'settings.write',
  meta: PLATFORM_BACKED,
});

export const putWebhook = dashboardRoute.put('putWebhook', {
  path: '/webhooks/{webhook_id}',
  summary: 'Change what a receiver is told and where, or switch it on and off',
  params: webhookPath,
  body: webhookBody,
  responses: { 200: webhook },
  errors: ['not_found'],
  access: 'settings.write',
  meta: PLATFORM_BACKED,
});

export const deleteWebhook = dashboardRoute.delete('removeWebhook', {
  path: '/webhooks/{webhook_id}',
  summary: 'Remove a receiver with what waits for it',
  params: webhookPath,
  responses: { 200: z.object({ id: z.string() }) },
  errors: ['not_found'],
  access: 'settings.write',
  meta: PLATFORM_BACKED,
});

export const rotateWebhook = dashboardRoute.post('rotateWebhook', {
  path: '/webhooks/{webhook_id}/rotate',
  summary: 'Give a receiver a new secret; the one before signs too for a day',
  params: webhookPath,
  responses: { 200: withSecret },
  errors: ['not_found'],
  access: 'settings.write',
  meta: PLATFORM_BACKED,
});

export const getDeadLetters = dashboardRoute.get('getDeadLetters', {
  path: '/webhooks/dead-letters',
  summary: 'Deliveries that were given up, newest first',
  query: z.object({ limit: lenientInteger({ min: 1, max: 1000 }).default(100) }),
  responses: {
    200: z.object({ rows: z.array(eventDelivery), total: z.int() }).meta({ id: 'DeadLetters' }),
  },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const repeatDeadLetters = dashboardRoute.post('repeatDeadLetters', {
  path: '/webhooks/{webhook_id}/repeat',
  summary: 'Send what was given up again: one event, or all of the receiver',
  params: webhookPath,
  body: z.object({ event_id: z.string().nullable().default(null) }),
  responses: { 200: z.object({ repeated: z.int() }) },
  errors: ['not_found'],
  access: 'settings.write',
  meta: PLATFORM_BACKED,
});
