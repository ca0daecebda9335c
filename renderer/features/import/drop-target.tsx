import { t } from '../../../preload/texts/t.ts';
import './import.css';
import { IconFileImport } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { specPlaceOf } from '../../ui/drop-place.ts';

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/**
 * Takes files, folders and archives dropped anywhere on the window and shows that it will. `place`
 * is the project whose files they were dropped on.
 */
export function DropTarget(props: {
  readonly onDrop: (transfer: DataTransfer, place: string | undefined) => void;
}) {
  const [over, setOver] = useState(false);
  const [place, setPlace] = useState<string>();
  const { onDrop } = props;
  useEffect(() => {
    let depth = 0;
    const show = (next: number): void => {
      depth = Math.max(0, next);
      setOver(depth > 0);
    };
    const enter = (event: DragEvent): void => {
      if (hasFiles(event)) {
        event.preventDefault();
        show(depth + 1);
      }
    };
    const overWindow = (event: DragEvent): void => {
      if (hasFiles(event)) {
        event.preventDefault();
        setPlace(specPlaceOf(event));
      }
    };
    const leave = (): void => show(depth - 1);
    const drop = (event: DragEvent): void => {
      if (event.dataTransfer !== null && hasFiles(event)) {
        event.preventDefault();
        show(0);
        onDrop(event.dataTransfer, specPlaceOf(event));
      }
    };
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragover', overWindow);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragover', overWindow);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [onDrop]);
  return over ? (
    <div className="sw-drop-overlay" data-testid="drop-overlay">
      <IconFileImport size={40} stroke={1.25} aria-hidden />
      <strong>
        {place === undefined
          ? t('Drop to import')
          : t('Drop specs to add them, other files to import')}
      </strong>
      <span>
        {t(
          'n8n exports and Dify apps, Flowise and CrewAI as an experiment: files, folders, zip archives; bundles',
        )}
      </span>
    </div>
  ) : null;
}
