import { t } from '../../../preload/texts/t.ts';
import './settings.css';
import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { AppLink } from '../../app/app-link.tsx';
import { runCommand } from '../../app/commands.ts';
import { paths } from '../../app/paths.ts';
import { isServed } from '../../data/served.ts';
import { useStandings } from '../../data/sign-in.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { showFolder } from '../../ui/show-folder.ts';
import { Appearance } from './appearance.tsx';
import { BrowserSession } from './browser-session.tsx';
import { ConnectionList } from './connections/connection-list.tsx';
import { KeySettings } from './keyboard/key-settings.tsx';
import { Licences } from './licences.tsx';
import { ModelKeys } from './model-keys.tsx';
import { ResetSettings } from './reset-settings.tsx';
import { SettingsSearch } from './settings-search.tsx';
import { SETTINGS_SECTIONS, type SettingsSection } from './settings-sections.ts';
import { StoredSecrets } from './stored-secrets.tsx';
import { TrayChoice } from './tray-choice.tsx';
import { TrustedFolders } from './trusted-folders.tsx';
import { Updates } from './updates.tsx';
import { useSettingsSearch } from './use-settings-search.ts';

interface Shown {
  readonly id: SettingsSection;
  readonly content: ReactNode;
}

function useSections(): readonly Shown[] {
  const api = desktopApi();
  const isAlone = useStandings().ways.length === 0;
  const hasGateway = isServed('gateway');
  const sections: readonly (Shown & { readonly shown?: boolean })[] = [
    { id: 'connections', shown: hasGateway && isAlone, content: <ConnectionList /> },
    { id: 'models', shown: hasGateway, content: <ModelKeys /> },
    { id: 'secrets', shown: hasGateway, content: <StoredSecrets /> },
    { id: 'trust', shown: hasGateway && isAlone, content: <TrustedFolders /> },
    {
      id: 'appearance',
      content: (
        <>
          <Appearance />
          {api !== undefined && <TrayChoice api={api} />}
        </>
      ),
    },
    { id: 'keyboard', content: <KeySettings /> },
    {
      id: 'session',
      shown: api === undefined && isAlone && hasGateway,
      content: <BrowserSession />,
    },
    { id: 'updates', shown: api !== undefined, content: <Updates /> },
    { id: 'reset', content: <ResetSettings /> },
    { id: 'licences', content: <Licences /> },
    { id: 'program', shown: api !== undefined, content: <About /> },
  ];
  return sections.filter(({ shown }) => shown !== false);
}

/** What belongs to this computer rather than to a project: keys, appearance, the program itself. */
export function SettingsPage(props: { readonly section?: string | undefined }) {
  const sections = useSections();
  const [text, setText] = useState('');
  const room = useRef<HTMLDivElement>(null);
  const { sections: found, count, at, step } = useSettingsSearch(room, text);
  const isShown = (id: SettingsSection): boolean => text.trim() === '' || found?.has(id) !== false;
  // A section that is asked for is shown, whatever was looked for before.
  const [asked, setAsked] = useState(props.section);
  if (asked !== props.section) {
    setAsked(props.section);
    if (found !== null && props.section !== undefined && !found.has(props.section)) {
      setText('');
    }
  }
  return (
    <Page
      title={t('Settings')}
      actions={
        <SettingsSearch
          text={text}
          onText={setText}
          sections={found?.size ?? 0}
          count={count}
          at={at}
          onStep={step}
        />
      }
      testId="settings-page"
    >
      <div className="sw-settings-page">
        <div className="sw-settings-room">
          <SectionNav sections={sections.filter(({ id }) => isShown(id))} />
          <div className="sw-settings" ref={room}>
            {text.trim() !== '' && found?.size === 0 && (
              <NothingFound onClear={() => setText('')} />
            )}
            {sections.map(({ id, content }) => (
              <Section key={id} id={id} asked={props.section} hidden={!isShown(id)}>
                {content}
              </Section>
            ))}
          </div>
        </div>
      </div>
    </Page>
  );
}

function NothingFound(props: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<IconSearch size={32} stroke={1.25} />}
      title={t('No setting has these words')}
      actions={
        <Button variant="default" size="compact-sm" onClick={props.onClear}>
          {t('Show all settings')}
        </Button>
      }
      testId="settings-none"
    >
      {t('What belongs to a project or to a platform stands under Author and Operate.')}
    </EmptyState>
  );
}

const headingId = (id: SettingsSection) => `settings-${id}`;

function titleOf(id: SettingsSection): string | undefined {
  return SETTINGS_SECTIONS.find((section) => section.id === id)?.title;
}

/** Brings a section to the top of the page, and the keyboard with it. */
function goToSection(id: SettingsSection): void {
  const heading = document.getElementById(headingId(id));
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** What the page holds, beside it while there is room, else above it. */
function SectionNav(props: { readonly sections: readonly Shown[] }) {
  return (
    <nav
      className="sw-settings-nav"
      aria-label={t('Sections of the settings')}
      data-testid="settings-nav"
    >
      {props.sections.map(({ id }) => (
        <AppLink
          key={id}
          to={paths.settings(id)}
          className="sw-bare sw-settings-link"
          // The one that the address names already is gone to again.
          onClick={() => goToSection(id)}
        >
          {titleOf(id)}
        </AppLink>
      ))}
    </nav>
  );
}

/** A section that comes into view when the address asks for it. */
function Section(props: {
  readonly id: SettingsSection;
  readonly asked: string | undefined;
  /** Not one of those that are looked for; what is being typed in it stays. */
  readonly hidden: boolean;
  readonly children: ReactNode;
}) {
  const { id } = props;
  const wanted = props.asked === id;
  useEffect(() => {
    if (wanted) goToSection(id);
  }, [wanted, id]);
  const facts = SETTINGS_SECTIONS.find((section) => section.id === id);
  return (
    <section data-section={id} hidden={props.hidden}>
      <h2 className="sw-section-title" id={headingId(id)} tabIndex={-1}>
        {facts?.title}
      </h2>
      <p className="sw-faint">{facts?.intro}</p>
      {props.children}
    </section>
  );
}

/** Facts of the installed program; a browser knows none of them. */
function About() {
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
  );
}
