import { z } from 'zod';
import { epochSeconds, openObject } from './fields.ts';

const requestType = z.enum(['approval', 'review', 'correction', 'selection', 'freeform']);

/** What a paused run asks of a person (contract/platform.md 3.8). */
export const humanRequest = z
  .object({
    id: z.string(),
    type: requestType,
    request_type: requestType,
    title: z.string().nullable(),
    prompt: z.string().nullable(),
    context: openObject,
    options: z.array(z.string()).nullable(),
    default_option: z.string().nullable(),
    response_role: z.string().nullable(),
    requested_by: z.string().nullable(),
    assignee: z.string().nullable(),
    timeout_seconds: z.number().nullable(),
    on_timeout: z.enum(['fail', 'continue', 'escalate']),
    metadata: openObject,
    escalated_at: epochSeconds.optional(),
    original_expires_at: epochSeconds.nullable().optional(),
  })
  .meta({ id: 'HumanRequest' });

export type HumanRequest = z.output<typeof humanRequest>;
