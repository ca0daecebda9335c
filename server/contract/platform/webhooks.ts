import { z } from 'zod';
import { lenientBoolean, lenientInteger } from '../fields.ts';
import { platformRoute } from '../route.ts';
import { fewMembers, timestamp } from './fields.ts';

// Additive: events that the platform tells others of (docs/events.md).

/** What is told: a run is over, a person is asked, a deadline comes near. */
export const EVENT_TYPES = ['run.ended', 'task.created', 'deadline.near'] as const;
export const eventType = z.enum(EVENT_TYPES);
export type EventType = z.output<typeof eventType>;

/** The body of a request to a receiver. It holds no text of the run: who may read it asks for it. */
const outgoingEvent = z.object({
  type: eventType,
  timestamp,
  data: z.looseObject({ run_id: z.string() }),
});
export type OutgoingEvent = z.output<typeof outgoingEvent>;

const MAX_URL_CHARS = 2048;
const MAX_DESCRIPTION_CHARS = 200;

const BAD_URL = 'Value error, url must be an http or https address without credentials or fragment';
const url = z
  .url({ protocol: /^https?$/, error: BAD_URL })
  .max(MAX_URL_CHARS)
  .refine((text) => !/#|^[^/]*\/\/[^/?\\]*@/.test(text), { error: BAD_URL });

export const webhookBody = z.strictObject({
  url,
  events: fewMembers(EVENT_TYPES.length, z.array(eventType).min(1)).default([...EVENT_TYPES]),
  description: z.string().max(MAX_DESCRIPTION_CHARS).default(''),
  enabled: lenientBoolean().default(true),
});
export type WebhookBody = z.output<typeof webhookBody>;

export const webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(eventType),
    description: z.string(),
    enabled: z.boolean(),
    /** Why the platform switched it off itself; null = it did not. */
    disabled_because: z.string().nullable(),
    /** Deliveries that wait for their time, and those that were given up. */
    waiting: z.int(),
    dead: z.int(),
    /** When it last took an event, and when and why it last did not; null = never. */
    last_success_at: timestamp.nullable(),
    last_failure_at: timestamp.nullable(),
    last_failure: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.output<typeof webhook>;

/** The one answer that shows the secret: that of its making. */
export const withSecret = z
  .object({ webhook, secret: z.string() })
  .meta({ id: 'WebhookWithSecret' });

const webhookPath = z.strictObject({ webhook_id: z.string() });

export const listWebhooks = platformRoute.get('listWebhooks', {
  path: '/webhooks',
  summary: 'Receivers of events',
  responses: { 200: z.object({ webhooks: z.array(webhook), count: z.int() }) },
  access: 'events:read',
});

export const createWebhook = platformRoute.post('createWebhook', {
  path: '/webhooks',
  summary: 'Add a receiver; the answer shows its secret, no other does',
  body: webhookBody,
  responses: { 201: withSecret },
  errors: ['invalid_request'],
  access: 'events:write',
});

export const replaceWebhook = platformRoute.put('replaceWebhook', {
  path: '/webhooks/{webhook_id}',
  summary: 'Replace what a receiver is told and where; its secret stays',
  params: webhookPath,
  body: webhookBody,
  responses: { 200: webhook },
  errors: ['not_found', 'invalid_request'],
  access: 'events:write',
});

export const deleteWebhook = platformRoute.delete('deleteWebhook', {
  path: '/webhooks/{webhook_id}',
  summary: 'Remove a receiver with what waits for it',
  params: webhookPath,
  responses: { 200: z.object({ id: z.string() }) },
  errors: ['not_found'],
  access: 'events:write',
});

export const rotateWebhookSecret = platformRoute.post('rotateWebhookSecret', {
  path: '/webhooks/{webhook_id}/rotate',
  summary: 'Give a receiver a new secret; the one before signs too for a day',
  params: webhookPath,
  responses: { 200: withSecret },
  errors: ['not_found'],
  access: 'events:write',
});

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'dead'] as const;

export const eventDelivery = z
  .object({
    webhook_id: z.string(),
    event_id: z.string(),
    type: z.string(),
    run_id: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    /** What the last attempt failed with; null before the first, and after a success. */
    last_error: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'EventDelivery' });

export const listEventDeliveries = platformRoute.get('listEventDeliveries', {
  path: '/webhooks/deliveries',
  summary: 'Deliveries of events, newest first; status=dead lists those that were given up',
  query: z.strictObject({
    status: z.enum(DELIVERY_STATUSES).optional(),
    webhook_id: z.string().optional(),
    limit: lenientInteger({ min: 1, max: 1000 }).default(100),
  }),
  responses: {
    200: z.object({ deliveries: z.array(eventDelivery), count: z.int(), total: z.int() }),
  },
  access: 'events:read',
});

export const repeatEventDeliveries = platformRoute.post('repeatEventDeliveries', {
  path: '/webhooks/{webhook_id}/repeat',
  summary: 'Send what was given up again: one event, or all of the receiver',
  params: webhookPath,
  body: z.strictObject({ event_id: z.string().nullable().default(null) }),
  bodyRequired: false,
  responses: { 200: z.object({ repeated: z.int() }) },
  errors: ['not_found'],
  access: 'events:write',
});
