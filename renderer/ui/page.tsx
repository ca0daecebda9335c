import { Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../../preload/texts/t.ts';

/** A page of the main area: heading, one line of context, actions, body. Focus moves to the heading. */
export function Page(props: {
  readonly title: string;
  readonly sub?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** True: the body fills the page and scrolls by itself. */
  readonly flush?: boolean;
  readonly testId?: string;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t('{title} · Specwright', { title: props.title });
  }, [props.title]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className="sw-page" data-testid={props.testId}>
      <header className="sw-page-header">
        <div className="sw-page-header-text">
          <h1 className="sw-page-title" tabIndex={-1} ref={heading}>
            {props.title}
          </h1>
          {props.sub !== undefined && <div className="sw-page-sub">{props.sub}</div>}
        </div>
        {props.actions !== undefined && <div className="sw-page-actions">{props.actions}</div>}
      </header>
      <div className="sw-page-body" data-flush={props.flush === true}>
        {props.children}
      </div>
    </section>
  );
}

/** Placeholder lines while a list loads. */
export function ListSkeleton(props: { readonly rows?: number }) {
  return (
    <div aria-busy="true" data-testid="skeleton">
      {Array.from({ length: props.rows ?? 6 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders have no other identity
        <Skeleton key={row} height={22} mt={row === 0 ? 0 : 10} radius="sm" />
      ))}
    </div>
  );
}
