import { gatewayRoute } from '../route.ts';

export const endSession = gatewayRoute.delete('endSession', {
  path: '/session',
  summary: 'Sign this browser out: its session and its open streams end',
  responses: { 204: null },
  access: null,
});
