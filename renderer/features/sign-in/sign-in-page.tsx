import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './sign-in.css';
import { IconTopologyStar3 } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { currentPath, hrefOf, navigateTo } from '../../app/navigation.ts';
import { queryClient } from '../../data/query-client.ts';
import { isUsable, type SignInService, type Standings, tellWindows } from '../../data/sign-in.ts';
import { takeReturn } from './return-place.ts';
import { SignInCard } from './sign-in-card.tsx';
import { faultOfCode } from './sign-in-texts.ts';

/** What a sign-in at the provider brought back in the address. */
export interface SignInSearch {
  readonly service?: string | undefined;
  readonly error?: string | undefined;
  readonly wait?: string | undefined;
}

/** Goes on where this tab was, with everything read anew. */
async function goOn(): Promise<void> {
  const place = takeReturn();
  if (currentPath().startsWith('/sign-in')) {
    navigateTo(place, { replace: true });
  }
  tellWindows();
  await queryClient.resetQueries();
}

/** The page of somebody whom no service knows. */
export function SignInPage(props: {
  readonly standings: Standings;
  readonly search: SignInSearch;
}) {
  const { standings, search } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t('Sign in · Specwright');
    // A name field takes the focus; without one it is the heading's.
    if (document.activeElement === document.body) {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  const waits = search.wait === undefined ? undefined : Number(search.wait);
  // A studio that serves the window by itself brings people back without its name.
  const alone = standings.ways.length === 1 ? standings.ways[0]?.service : undefined;
  const tried = search.service ?? alone;
  const faultOf = (service: SignInService) =>
    search.error !== undefined && tried === service ? faultOfCode(search.error, waits) : undefined;
  const left = standings.ways.filter(
    ({ service }) => !isUsable(standings[service]) || faultOf(service) !== undefined,
  );
  const goesOn = isUsable(standings.studio) || isUsable(standings.dashboard);
  return (
    <main className="sw-sign-in" data-testid="sign-in-page">
      <div className="sw-sign-in-inner">
        <div className="sw-wordmark">
          <IconTopologyStar3 size={22} stroke={1.75} aria-hidden />
          {t('Specwright')}
        </div>
        <h1 tabIndex={-1} ref={heading}>
          {t('Sign in')}
        </h1>
        <p className="sw-sign-in-place">
          {rich('to the server {b}', { b: <strong>{window.location.host}</strong> })}
        </p>
        {left.map((way) => (
          <SignInCard
            key={way.service}
            way={way}
            fault={faultOf(way.service)}
            onSignedIn={() => void goOn()}
          />
        ))}
        {goesOn && (
          <a className="sw-link" href={hrefOf('/')}>
            {t('Go to the workbench')}
          </a>
        )}
      </div>
    </main>
  );
}
