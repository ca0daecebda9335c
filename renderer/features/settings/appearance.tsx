import { NativeSelect, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { LANGUAGES, type Language } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import { preferencesStore, START_PLACES } from '../../data/preferences.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { beginAgainIn, languageOfProgram } from '../../desktop/spoken-language.ts';
import { keepPreferences, keepPreferencesFirst } from '../../ui/keep-preferences.ts';
import { useStore } from '../../ui/store.ts';
import { ZoomChoice } from './zoom-choice.tsx';

const SCHEMES = [
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
  { value: 'auto', label: t('System') },
] as const;

const CONTRASTS = [
  { value: 'system', label: t('System') },
  { value: 'more', label: t('More') },
] as const;

const DENSITIES = [
  { value: 'comfortable', label: t('Two lines') },
  { value: 'compact', label: t('One line') },
] as const;

const CLOCKS = [
  { value: 'local', label: t('This computer') },
  { value: 'utc', label: 'UTC' },
] as const;

/** Each in its own language, so that everybody finds theirs. */
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: t('English'),
  de: t('Deutsch'),
  zh: '中文',
};

async function chooseLanguage(named: string): Promise<void> {
  const language = LANGUAGES.find((one) => one === named) ?? 'system';
  await keepPreferencesFirst({ language });
  beginAgainIn(language);
}

const START_WORDS: Readonly<Record<(typeof START_PLACES)[number], string>> = {
  left: t('Where the window was'),
  welcome: t('Welcome'),
  overview: t('Overview'),
  runs: t('Runs'),
  tasks: t('Tasks'),
  failures: t('Failures'),
};

/** How the window looks and where it begins. */
export function Appearance() {
  const { colorScheme } = useMantineColorScheme();
  const preferred = useStore(preferencesStore);
  return (
    <dl className="sw-facts">
      <dt>{t('Theme')}</dt>
      <dd>
        <SegmentedControl
          aria-label={t('Theme')}
          value={colorScheme}
          onChange={(theme) => keepPreferences({ theme })}
          data={[...SCHEMES]}
        />
      </dd>
      <dt>{t('Language')}</dt>
      <dd>
        <NativeSelect
          aria-label={t('Language')}
          value={languageOfProgram() ?? preferred.language ?? 'system'}
          data={[
            { value: 'system', label: t('System') },
            ...LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
          ]}
          onChange={(event) => void chooseLanguage(event.currentTarget.value)}
          data-testid="language"
        />
      </dd>
      <dt>{t('Contrast')}</dt>
      <dd>
        <SegmentedControl
          aria-label={t('Contrast')}
          value={preferred.contrast ?? 'system'}
          onChange={(contrast) => keepPreferences({ contrast })}
          data={[...CONTRASTS]}
        />
      </dd>
      {desktopApi() !== undefined && (
        <>
          <dt>{t('Zoom')}</dt>
          <dd>
            <ZoomChoice />
          </dd>
        </>
      )}
      <dt>{t('Rows of the run list')}</dt>
      <dd>
        <SegmentedControl
          aria-label={t('Rows of the run list')}
          value={preferred.density ?? 'comfortable'}
          onChange={(density) => keepPreferences({ density })}
          data={[...DENSITIES]}
        />
      </dd>
      <dt>{t('Clock')}</dt>
      <dd>
        <SegmentedControl
          aria-label={t('Clock')}
          value={preferred.clock ?? 'local'}
          onChange={(clock) => keepPreferences({ clock })}
          data={[...CLOCKS]}
        />
      </dd>
      <dt>{t('First page')}</dt>
      <dd>
        <NativeSelect
          aria-label={t('First page')}
          value={preferred.start ?? 'left'}
          data={START_PLACES.map((value) => ({ value, label: START_WORDS[value] }))}
          onChange={(event) => {
            const start = START_PLACES.find((place) => place === event.currentTarget.value);
            keepPreferences({ start: start ?? 'left' });
          }}
          data-testid="first-page"
        />
      </dd>
    </dl>
  );
}
