import { Button } from '@mantine/core';
import { t } from '../../preload/texts/t.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { isLostPart } from './lost-parts.ts';

/** A view that cannot be drawn: a defect of the window, or a part of it that is not there any more. */
export function StoppedView(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const isLost = isLostPart(props.error);
  const why = t(
    'The program was updated since this window was opened, or what serves it does not answer. Reload the window; unsaved text is kept.',
  );
  return (
    <ErrorState
      title={
        isLost ? t('This part of the window could not be loaded') : t('This view stopped working')
      }
      error={isLost ? new Error(why) : props.error}
      onRetry={isLost ? undefined : props.onRetry}
      actions={
        <Button size="xs" variant="default" onClick={() => window.location.reload()}>
          {t('Reload the window')}
        </Button>
      }
    />
  );
}
