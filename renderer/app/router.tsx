import { createRouter } from '@tanstack/react-router';
import { history } from './navigation.ts';
import { NotFound } from './not-found.tsx';
import { routeTree } from './routes.tsx';
import { StoppedView } from './stopped-view.tsx';

function searchText(search: Record<string, unknown>): string {
  const text = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

/** Every address of the window. */
export const router = createRouter({
  routeTree,
  history,
  // Values are texts: an id made of digits must not become a number.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: searchText,
  defaultPreload: false,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <StoppedView error={error} onRetry={reset} />,
});
