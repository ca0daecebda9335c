import { locale } from '../../preload/texts/language.ts';
import { t } from '../../preload/texts/t.ts';
import { useStore } from '../ui/store.ts';
import { outputStore } from './output-store.ts';

/** What the window did, newest last. */
export function OutputPanel() {
  const lines = useStore(outputStore);
  return (
    <ul className="sw-output" data-testid="output">
      {lines.length === 0 && <li className="sw-faint">{t('Nothing yet.')}</li>}
      {lines.map((line) => (
        <li key={line.id} data-level={line.level}>
          <span className="sw-faint">{new Date(line.at).toLocaleTimeString(locale())}</span>{' '}
          {line.message}
        </li>
      ))}
    </ul>
  );
}
