import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** A part of the window as it first appears, drawn without a browser. */
export interface Drawn {
  readonly html: string;
  /** The text that a person reads, tags left out. */
  readonly text: string;
  /** The opening tag of each element that holds `mark` in that tag, such as `data-testid="x"`. */
  tags(mark: string): string[];
}

/** Draws an element with real components; `answers` are what the services answered before. */
export function drawn(
  element: ReactNode,
  answers: readonly (readonly [QueryKey, unknown])[] = [],
): Drawn {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  for (const [key, data] of answers) client.setQueryData(key, data);
  const html = renderToStaticMarkup(
    createElement(QueryClientProvider, { client }, createElement(MantineProvider, null, element)),
  ).replace(/<style.*?<\/style>/gs, '');
  const plain = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  return {
    html,
    text: plain.replaceAll('&#x27;', "'").replaceAll('&amp;', '&').trim(),
    tags: (mark) => (html.match(/<[^>]+>/g) ?? []).filter((tag) => tag.includes(mark)),
  };
}
