import { t } from '../../../preload/texts/t.ts';
import { isServed } from '../../data/served.ts';

/** The sections of the settings, each with an address of its own. */
export const SETTINGS_SECTIONS = [
  {
    id: 'connections',
    title: t('Connections'),
    intro: t(
      'Where windows find run platform, dashboard and studio when it is not this computer. Each window has its own; the title bar shows it.',
    ),
  },
  {
    id: 'models',
    title: t('Model providers'),
    intro: t(
      'Keys that models are called with. A spec names a provider or a key, never the key itself.',
    ),
  },
  {
    id: 'secrets',
    title: t('Where secrets are kept'),
    intro: t(
      'Every key and credential that is stored on this computer, by name. Nothing that is stored is shown again.',
    ),
  },
  {
    id: 'trust',
    title: t('Trusted folders'),
    intro: t(
      'Their functions run, their MCP servers start and their specs read variables of the environment: in the window, in services and on the command line. Nothing of any other folder does.',
    ),
  },
  {
    id: 'appearance',
    title: t('Preferences'),
    intro: t('Yours in every window where you are signed in to the dashboard.'),
  },
  {
    id: 'keyboard',
    title: t('Keyboard'),
    intro: t(
      'Keys of every command. They hold in all windows where you are signed in; menus and the list of keys show them.',
    ),
  },
  {
    id: 'session',
    title: t('This browser'),
    intro: t(
      'It was signed in by a one-time link. The session ends by itself when it is not used.',
    ),
  },
  {
    id: 'updates',
    title: t('Updates'),
    intro: t(
      'Proved by a signature before anything is opened, installed when you say so. Nothing is asked for by itself unless you switch it on.',
    ),
  },
  {
    id: 'reset',
    title: t('Reset'),
    intro: t('Back to how a first start is set. Nothing that you made or stored goes.'),
  },
  {
    id: 'licences',
    title: t('Licences'),
    intro: t('Specwright is under the MIT licence and holds work of others under theirs.'),
  },
  { id: 'program', title: t('This program'), intro: t('Version, data folder and logs.') },
] as const;

/**
 * The sections that there are: a browser has a session, the desktop window facts and updates of its program, and
 * a service by itself keeps no keys of models.
 */
export function shownSections(inBrowser: boolean) {
  const absent: string[] = inBrowser ? ['program', 'updates'] : ['session'];
  if (!isServed('gateway')) {
    absent.push('connections', 'models', 'secrets', 'trust', 'session');
  }
  return SETTINGS_SECTIONS.filter(({ id }) => !absent.includes(id));
}

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]['id'];
