import { NativeSelect, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { preferencesStore, START_PLACES } from '../../data/preferences.ts';
import { keepPreferences } from '../../ui/keep-preferences.ts';
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
