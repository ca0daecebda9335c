import './notice.css';
import type { ReactNode } from 'react';

/** One sentence or two that a person must know here, with its icon. */
export function Notice(props: {
  readonly tone: 'warning' | 'info';
  readonly icon: ReactNode;
  readonly testId: string;
  readonly children: ReactNode;
}) {
  return (
    <p className="sw-notice" data-tone={props.tone} data-testid={props.testId}>
      {props.icon}
      <span>{props.children}</span>
    </p>
  );
}
