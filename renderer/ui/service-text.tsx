import type { ReactNode } from 'react';
import type { ApiError } from '../data/api-error.ts';

/** Marks an element whose text a service wrote: it is English whatever language the window speaks. */
export const SERVICE_TEXT = { lang: 'en' } as const;

/** Words of a service inside other text; screen readers say them in English. */
export function ServiceText(props: { readonly children: ReactNode }) {
  return <span {...SERVICE_TEXT}>{props.children}</span>;
}

/** What an error says: the words of the service, or those of the window in its own language. */
export function ErrorMessage({ error }: { readonly error: ApiError }) {
  return error.isServiceText ? <ServiceText>{error.message}</ServiceText> : error.message;
}
