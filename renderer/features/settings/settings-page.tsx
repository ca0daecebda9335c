import './settings.css';
import { Button, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { desktopApi } from '../../desktop/bridge.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { Page } from '../../ui/page.tsx';
import { ModelKeys } from './model-keys.tsx';

/** What belongs to this computer rather than to a project: keys, appearance, the program itself. */
export function SettingsPage() {
  return (
    <Page title="Settings" testId="settings-page">
      <div className="sw-settings">
        <Section
          title="Model providers"
          intro="Keys that models are called with. A spec names a provider or a key, never the key itself."
        >
          <ModelKeys />
        </Section>
        <Section title="Appearance" intro="Light, dark, or what the system says.">
          <Appearance />
        </Section>
        <About />
      </div>
    </Page>
  );
}

function Section(props: {
  readonly title: string;
  readonly intro?: string;
  readonly children: ReactNode;
}) {
  return (
    <section>
      <h2 className="sw-section-title">{props.title}</h2>
      {props.intro !== undefined && <p className="sw-faint">{props.intro}</p>}
      {props.children}
    </section>
  );
}

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const;

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Theme"
      value={colorScheme}
      onChange={(value) => setColorScheme(value)}
      data={[...SCHEMES]}
    />
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
  const { version, electron, chrome, data_folder } = info.data;
  return (
    <Section title="This program">
      <dl className="sw-facts">
        <dt>Version</dt>
        <dd>
          {version} (Electron {electron}, Chromium {chrome})
        </dd>
        <dt>Data folder</dt>
        <dd>
          <CopyCode value={data_folder} label="Copy path" />
        </dd>
        <dt>Logs</dt>
        <dd>
          <Button size="compact-sm" variant="default" onClick={() => void api.showLogs()}>
            Show logs
          </Button>
        </dd>
      </dl>
    </Section>
  );
}
