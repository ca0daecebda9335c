import { createRouter } from '@tanstack/react-router';
import { t } from '../../preload/texts/t.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { history } from './navigation.ts';
import { NotFound } from './not-found.tsx';
import { routeTree } from './routes.tsx';

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
  defaultErrorComponent: ({ error, reset }) => (
    <ErrorState title={t('This view stopped working')} error={error} onRetry={reset} />
  ),
});
