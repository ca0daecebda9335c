import { ServiceText } from '../../ui/service-text.tsx';
import type { Cause } from './gap-rows.ts';

/** What gaps of one cause say, in the words of the service; or the element that they are about. */
export function CauseTitle({ cause }: { readonly cause: Pick<Cause, 'by' | 'title'> }) {
  return cause.by === 'words' ? <ServiceText>{cause.title}</ServiceText> : cause.title;
}
