import type { ReactNode } from 'react';

/** What a list shows when there is nothing: why, and the next action. */
export function EmptyState(props: {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly compact?: boolean;
  readonly testId?: string;
}) {
  return (
    <div
      className="sw-state"
      data-compact={props.compact === true}
      data-testid={props.testId ?? 'empty-state'}
    >
      {props.icon !== undefined && <div className="sw-state-icon">{props.icon}</div>}
      <div className="sw-state-title">{props.title}</div>
      {props.children !== undefined && <div className="sw-state-text">{props.children}</div>}
      {props.actions !== undefined && <div className="sw-state-actions">{props.actions}</div>}
    </div>
  );
}
