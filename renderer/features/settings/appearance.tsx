import { NativeSelect, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { LANGUAGES, type Language } from '../../../preload/texts/language.ts';
import { preferencesStore, START_PLACES } from '../../data/preferences.ts';
import { beginAgainIn } from '../../desktop/spoken-language.ts';
import { keepPreferences, keepPreferencesFirst } from '../../ui/keep-preferences.ts';
import { useStore } from '../../ui/store.ts';

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const;

const DENSITIES = [
  { value: 'comfortable', label: 'Two lines' },
  { value: 'compact', label: 'One line' },
] as const;

const CLOCKS = [
  { value: 'local', label: 'This computer' },
  { value: 'utc', label: 'UTC' },
] as const;

/** Each in its own language, so that everybody finds theirs. */
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  zh: '中文',
};

async function chooseLanguage(named: string): Promise<void> {
  const language = LANGUAGES.find((one) => one === named) ?? 'system';
  await keepPreferencesFirst({ language });
  beginAgainIn(language);
}

const START_WORDS: Readonly<Record<(typeof START_PLACES)[number], string>> = {
  left: 'Where the window was',
  welcome: 'Welcome',
  overview: 'Overview',
  runs: 'Runs',
  tasks: 'Tasks',
  failures: 'Failures',
};

/** How the window looks and where it begins. */
export function Appearance() {
  const { colorScheme } = useMantineColorScheme();
  const preferred = useStore(preferencesStore);
  return (
    <dl className="sw-facts">
      <dt>Theme</dt>
      <dd>
        <SegmentedControl
          aria-label="Theme"
          value={colorScheme}
          onChange={(theme) => keepPreferences({ theme })}
          data={[...SCHEMES]}
        />
      </dd>
      <dt>Language</dt>
      <dd>
        <NativeSelect
          aria-label="Language"
          value={preferred.language ?? 'system'}
          data={[
            { value: 'system', label: 'System' },
            ...LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
          ]}
          onChange={(event) => void chooseLanguage(event.currentTarget.value)}
          data-testid="language"
        />
      </dd>
      <dt>Rows of the run list</dt>
      <dd>
        <SegmentedControl
          aria-label="Rows of the run list"
          value={preferred.density ?? 'comfortable'}
          onChange={(density) => keepPreferences({ density })}
          data={[...DENSITIES]}
        />
      </dd>
      <dt>Clock</dt>
      <dd>
        <SegmentedControl
          aria-label="Clock"
          value={preferred.clock ?? 'local'}
          onChange={(clock) => keepPreferences({ clock })}
          data={[...CLOCKS]}
        />
      </dd>
      <dt>First page</dt>
      <dd>
        <NativeSelect
          aria-label="First page"
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
