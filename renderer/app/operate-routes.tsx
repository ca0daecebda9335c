import type { AnyRoute } from '@tanstack/react-router';

/** Addresses of the Runs and Tasks places, under the root of `routes.tsx`. */
export function operateRoutes(_root: AnyRoute): AnyRoute[] {
  return [];
}
