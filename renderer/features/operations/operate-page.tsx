import { t } from '../../../preload/texts/t.ts';
import './operations.css';
import { IconLock } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { hrefOf } from '../../app/navigation.ts';
import { OPERATE_PLACES } from '../../app/operate-places.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';

/** A page of the Operate place, under the links to its neighbours. */
export function OperatePage(props: {
  readonly title: string;
  readonly sub: ReactNode;
  readonly actions?: ReactNode;
  /** True: a table fills the page and scrolls by itself. */
  readonly flush?: boolean;
  readonly testId: string;
  readonly children: ReactNode;
}) {
  const { children, ...page } = props;
  return (
    <Page {...page}>
      <div className="sw-operate" data-flush={props.flush === true}>
        <Neighbours />
        {children}
      </div>
    </Page>
  );
}

/** What stands in place of a page that the operator's role does not include. */
export function Shut(props: {
  readonly title: string;
  readonly hindrance: string;
  readonly testId: string;
}) {
  return (
    <EmptyState
      icon={<IconLock size={32} stroke={1.25} />}
      title={props.title}
      testId={props.testId}
    >
      {props.hindrance}
    </EmptyState>
  );
}

function Neighbours() {
  const here = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <nav className="sw-operate-nav" aria-label={t('Operate')}>
      {OPERATE_PLACES.map(({ command, label, path }) => (
        <a
          key={command}
          href={hrefOf(path())}
          aria-current={here === path() ? 'page' : undefined}
          data-label={label}
          data-testid={`operate-${command.slice('go.'.length)}`}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
