import type { ReactNode } from 'react';
import { hrefOf } from './navigation.ts';

/** A link to a path of `paths`. */
export function AppLink(props: {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly testId?: string;
  /** Done before the address changes. */
  readonly onClick?: () => void;
}) {
  return (
    <a
      className={props.className ?? 'sw-link'}
      href={hrefOf(props.to)}
      onClick={props.onClick}
      data-testid={props.testId}
    >
      {props.children}
    </a>
  );
}
