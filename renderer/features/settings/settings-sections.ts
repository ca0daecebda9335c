/** The sections of the settings, each with an address of its own. */
export const SETTINGS_SECTIONS = [
  {
    id: 'models',
    title: 'Model providers',
    intro:
      'Keys that models are called with. A spec names a provider or a key, never the key itself.',
  },
  { id: 'appearance', title: 'Appearance', intro: 'Light, dark, or what the system says.' },
  { id: 'program', title: 'This program', intro: 'Version, data folder and logs.' },
] as const;

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]['id'];
