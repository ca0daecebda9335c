import type { Incident } from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { showWithButton } from '../ui/notify.tsx';
import { writeOutput } from '../workbench/output-store.ts';
import { navigateTo } from './navigation.ts';
import { paths } from './paths.ts';

const TITLES: Readonly<Record<Incident['of'], string>> = {
  services: t('The services were started again'),
  window: t('This window was loaded again'),
  program: t('Specwright is back'),
};

/** Says that something ended unexpectedly and is back, and leads to the log. */
export function tellIncident({ of, message }: Incident): void {
  writeOutput({ level: 'error', message });
  showWithButton(
    { title: TITLES[of], color: 'yellow', autoClose: false },
    message,
    { label: t('Show logs'), press: () => navigateTo(paths.logs()), testId: 'incident-log' },
    'incident',
  );
}
