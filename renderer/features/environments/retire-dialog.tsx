import { Button, Group, Modal } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import type { GenerationView } from '../../../server/contract/studio/bindings.ts';
import { retireAlias } from '../../data/environments.ts';
import { useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { retireEffect } from './environments-model.ts';

/** Says what retiring means, and does it. */
export function RetireDialog(props: {
  readonly projectId: string;
  readonly generations: readonly GenerationView[];
  readonly alias: string;
  /** Null = the whole alias. */
  readonly generation: number | null;
  readonly onClose: () => void;
}) {
  const { alias, generation } = props;
  const what =
    generation === null ? alias : t('generation {generation} of {alias}', { generation, alias });
  const { refused, sentences } = retireEffect(props.generations, alias, generation);
  const retiring = useAction(async () => {
    await retireAlias(props.projectId, alias, generation);
    notifyDone(t('Retired {what}', { what }));
    props.onClose();
  });
  return (
    <Modal opened onClose={props.onClose} title={t('Retire {what}?', { what })}>
      <div data-testid="retire-dialog">
        {refused === undefined ? (
          <ul className="sw-dialog-text">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        ) : (
          <p className="sw-dialog-text">{refused}</p>
        )}
        {retiring.error !== undefined && (
          <ErrorState compact title={t('Nothing was retired')} error={retiring.error} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            {refused === undefined ? t('Keep it') : t('Close')}
          </Button>
          {refused === undefined && (
            <Button
              color="red"
              loading={retiring.busy}
              onClick={() => retiring.start()}
              data-testid="retire-submit"
            >
              {t('Retire')}
            </Button>
          )}
        </Group>
      </div>
    </Modal>
  );
}
