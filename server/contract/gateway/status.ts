import { z } from 'zod';
import { gatewayRoute } from '../route.ts';
import { defineStream } from '../stream.ts';

/** What the window asks of a run platform, in words; an older one lacks some of it. */
export const PLATFORM_OFFERS = {
  start: 'start runs',
  list: 'list runs',
  stop: 'stop a run',
  continue: 'let a stopped run go on',
  rerun: 'run again from a step',
  recover: 'carry a failed run on with a mended spec',
  trace: 'follow what a run does',
  replay: 'show a run step by step',
  items: 'show the items between steps',
  diff: 'compare states of a run',
  tasks: 'list open questions',
  answer: 'answer questions',
  skills: 'list skills',
  needs: 'say which credentials runs ask for',
  policies: 'change policies of environments',
  audit: 'show who did what',
} as const;
export type PlatformOffer = (typeof PLATFORM_OFFERS)[keyof typeof PLATFORM_OFFERS];

const serviceState = z.object({
  present: z.boolean(),
  reachable: z.boolean(),
  /** Where it is asked, without user name, password and query; null when the connection has none. */
  address: z.string().nullable(),
  /** Why it does not answer, as a code of the gateway; null when it does. */
  problem: z.string().nullable(),
  /** It runs on this computer. */
  here: z.boolean(),
});

/** What the window is connected to, and which of its services answer now. */
export const gatewayStatus = z
  .object({
    version: z.string(),
    connection: z.object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(['embedded', 'remote']),
    }),
    /** What the platform of a remote connection cannot do, in words: some of `PLATFORM_OFFERS`. */
    lacks: z.array(z.string()),
    services: z.object({
      studio: serviceState,
      dashboard: serviceState,
      platform: serviceState,
    }),
  })
  .meta({ id: 'GatewayStatus' });

export type GatewayStatus = z.output<typeof gatewayStatus>;

export const getGatewayStatus = gatewayRoute.get('getGatewayStatus', {
  path: '/status',
  summary: 'The current connection and which of its services answer',
  responses: { 200: gatewayStatus },
  access: null,
});

export const watchGatewayStatus = defineStream({
  id: 'watchGatewayStatus',
  service: 'gateway',
  path: '/status/stream',
  summary: 'The status now and whenever it is another one',
  params: undefined,
  query: undefined,
  events: { status: gatewayStatus },
  access: null,
});
