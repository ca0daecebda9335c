import { t } from '../../preload/texts/t.ts';
import './outside-link.css';
import { Button, Group } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { desktopApi } from '../desktop/bridge.ts';
import { copyText } from './copy-text.ts';
import { notifyDone, notifyError, notifyHint } from './notify.tsx';

const SCHEMES = new Set(['http:', 'https:']);
const MODAL = 'outside-address';

/** The address of another site, as a browser writes it; undefined for any other text. */
function siteOf(href: string): URL | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  const isSite = url !== undefined && SCHEMES.has(url.protocol);
  return isSite && url.username === '' && url.password === '' ? url : undefined;
}

function offerInBrowser({ host, href }: URL): void {
  modals.open({
    modalId: MODAL,
    title: t('Open {host}?', { host }),
    size: 'lg',
    children: (
      <>
        <p className="sw-outside-address" data-testid="outside-address">
          {href}
        </p>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={() => modals.close(MODAL)}>
            {t('Cancel')}
          </Button>
          <Button
            variant="default"
            data-autofocus
            onClick={() => {
              modals.close(MODAL);
              copyText(href, t('The address'));
            }}
          >
            {t('Copy address')}
          </Button>
          <Button
            component="a"
            href={href}
            target="_blank"
            rel="noreferrer noopener"
            onClick={() => modals.close(MODAL)}
          >
            {t('Open in a new tab')}
          </Button>
        </Group>
      </>
    ),
  });
}

/** Shows an address before anything goes there: in the desktop window the shell asks. */
function offer(url: URL): void {
  const api = desktopApi();
  if (api === undefined) {
    offerInBrowser(url);
    return;
  }
  api.offerAddress(url.href).then(
    (choice) => {
      if (choice === 'copied') {
        notifyDone(t('The address is copied'));
      } else if (choice === null) {
        notifyHint(t('This address is too long to be opened.'));
      }
    },
    (error: unknown) => notifyError(t('The address was not opened'), error),
  );
}

/** Shows an address of another site to the person, who opens it in the system's browser. */
export function offerAddress(href: string): void {
  const url = siteOf(href);
  if (url === undefined) {
    notifyHint(t('This is no address that a browser opens.'));
  } else {
    offer(url);
  }
}

/** A link to another site. It never leads there at once: the whole address is shown first. */
export function OutsideLink(props: { readonly href: string; readonly children: ReactNode }) {
  const { href, children } = props;
  const url = siteOf(href);
  if (url === undefined) {
    return (
      <>
        {children} <span className="sw-faint">({href})</span>
      </>
    );
  }
  return (
    <a
      className="sw-link"
      href={url.href}
      title={url.href}
      rel="noreferrer noopener"
      onClick={(event) => {
        event.preventDefault();
        offer(url);
      }}
      onAuxClick={(event) => event.preventDefault()}
    >
      {children}
    </a>
  );
}
