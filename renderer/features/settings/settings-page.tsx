import { t } from '../../../preload/texts/t.ts';
import './settings.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { AppLink } from '../../app/app-link.tsx';
import { runCommand } from '../../app/commands.ts';
import { paths } from '../../app/paths.ts';
import { isServed } from '../../data/served.ts';
import { useStandings } from '../../data/sign-in.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { Page } from '../../ui/page.tsx';
import { showFolder } from '../../ui/show-folder.ts';
import { Appearance } from './appearance.tsx';
import { BrowserSession } from './browser-session.tsx';
import { ConnectionList } from './connections/connection-list.tsx';
import { KeySettings } from './keyboard/key-settings.tsx';
import { Licences } from './licences.tsx';
import { ModelKeys } from './model-keys.tsx';
import { ResetSettings } from './reset-settings.tsx';
import { SETTINGS_SECTIONS, type SettingsSection } from './settings-sections.ts';
import { StoredSecrets } from './stored-secrets.tsx';
import { TrayChoice } from './tray-choice.tsx';
import { TrustedFolders } from './trusted-folders.tsx';
import { Updates } from './updates.tsx';

/** What belongs to this computer rather than to a project: keys, appearance, the program itself. */
export function SettingsPage(props: { readonly section?: string | undefined }) {
  const api = desktopApi();
  const inBrowser = api === undefined;
  const isAlone = useStandings().ways.length === 0;
  return (
    <Page title={t('Settings')} testId="settings-page">
      <div className="sw-settings">
        {isServed('gateway') && isAlone && (
          <Section id="connections" asked={props.section}>
            <ConnectionList />
          </Section>
        )}
        {isServed('gateway') && (
          <Section id="models" asked={props.section}>
            <ModelKeys />
          </Section>
        )}
        {isServed('gateway') && (
          <Section id="secrets" asked={props.section}>
            <StoredSecrets />
          </Section>
        )}
        {isServed('gateway') && isAlone && (
          <Section id="trust" asked={props.section}>
            <TrustedFolders />
          </Section>
        )}
        <Section id="appearance" asked={props.section}>
          <Appearance />
          {api !== undefined && <TrayChoice api={api} />}
        </Section>
        <Section id="keyboard" asked={props.section}>
          <KeySettings />
        </Section>
        {inBrowser && isAlone && isServed('gateway') && (
          <Section id="session" asked={props.section}>
            <BrowserSession />
          </Section>
        )}
        {!inBrowser && (
          <Section id="updates" asked={props.section}>
            <Updates />
          </Section>
        )}
        <Section id="reset" asked={props.section}>
          <ResetSettings />
        </Section>
        <Section id="licences" asked={props.section}>
          <Licences />
        </Section>
        <About asked={props.section} />
      </div>
    </Page>
  );
}

/** A section that comes into view when the address asks for it. */
function Section(props: {
  readonly id: SettingsSection;
  readonly asked: string | undefined;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const wanted = props.asked === props.id;
  useEffect(() => {
    if (wanted) {
      heading.current?.scrollIntoView({ block: 'start' });
      heading.current?.focus({ preventScroll: true });
    }
  }, [wanted]);
  const facts = SETTINGS_SECTIONS.find(({ id }) => id === props.id);
  return (
    <section>
      <h2 className="sw-section-title" ref={heading} tabIndex={-1}>
        {facts?.title}
      </h2>
      <p className="sw-faint">{facts?.intro}</p>
      {props.children}
    </section>
  );
}

/** Facts of the installed program; a browser knows none of them. */
function About(props: { readonly asked: string | undefined }) {
  const api = desktopApi();
  const info = useQuery({
    queryKey: ['shell', 'appInfo'],
    queryFn: async () => (await api?.appInfo()) ?? null,
    enabled: api !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (api === undefined || !info.data) {
    return null;
  }
  const { version, electron, chrome, node, services_node, schemas, data_folder } = info.data;
  return (
    <Section id="program" asked={props.asked}>
      <dl className="sw-facts">
        <dt>{t('Version')}</dt>
        <dd>
          <CopyCode value={version} label={t('Copy version')} />
        </dd>
        <dt>{t('Window')}</dt>
        <dd>
          {t('Electron {electron}, Chromium {chrome}, Node {node}', { electron, chrome, node })}
        </dd>
        <dt>{t('Services')}</dt>
        <dd>
          {services_node === null
            ? t('They have not answered yet')
            : t('Node {services_node}', { services_node })}
        </dd>
        <dt>{t('Schema of stores')}</dt>
        <dd>
          {schemas === null
            ? t('Not noted yet')
            : Object.entries(schemas)
                .map(([store, migration]) => `${store} ${migration}`)
                .join(', ')}
        </dd>
        <dt>{t('Data folder')}</dt>
        <dd>
          <CopyCode value={data_folder} label={t('Copy path')} />{' '}
          <Button size="compact-sm" variant="default" onClick={() => showFolder(data_folder)}>
            {t('Open')}
          </Button>
        </dd>
        <dt>{t('Licences')}</dt>
        <dd>
          <AppLink to={paths.settings('licences')}>
            {t('MIT, and the notices for the work of others')}
          </AppLink>
        </dd>
        <dt>{t('Logs')}</dt>
        <dd>
          <Button size="compact-sm" variant="default" onClick={() => runCommand('app.logs')}>
            {t('Show logs')}
          </Button>
        </dd>
      </dl>
    </Section>
  );
}
