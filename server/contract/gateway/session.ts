import { defineRoute } from '../route.ts';

export const endSession = defineRoute({
  id: 'endSession',
  service: 'gateway',
  method: 'DELETE',
  path: '/session',
  summary: 'Sign this browser out: its session and its open streams end',
  responses: { 204: null },
  access: null,
});
