import { createRouter } from '@tanstack/react-router';
import { ErrorState } from '../ui/error-state.tsx';
import { history } from './navigation.ts';
import { NotFound } from './not-found.tsx';
import { routeTree } from './routes.tsx';

/** Every address of the window. */
export const router = createRouter({
  routeTree,
  history,
  defaultPreload: false,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => (
    <ErrorState title="This view stopped working" error={error} onRetry={reset} />
  ),
});
