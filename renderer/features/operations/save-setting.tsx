import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import '../../ui/notice.css';
import { Button, Group } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { Route } from '../../../server/contract/route.ts';
import { queryClient, routePrefix } from '../../data/query-client.ts';
import type { Action } from '../../data/use-action.ts';
import type { Edited } from '../../data/use-edited.ts';
import { ErrorState } from '../../ui/error-state.tsx';

/** Reads a setting anew after a write, or after somebody else's write refused it. */
export async function readAgain(...routes: readonly Route[]): Promise<void> {
  await Promise.all(
    routes.map((route) => queryClient.invalidateQueries({ queryKey: routePrefix(route) })),
  );
}

type Kept = Pick<Edited<unknown>, 'isOvertaken' | 'takeStored' | 'keepDraft'>;

/** Somebody else stored another version: whose counts is for the person who fills this in. */
export function Overtaken(props: {
  readonly edited: Kept;
  /** Called after the choice. */
  readonly onChosen?: () => void;
}) {
  const { isOvertaken, takeStored, keepDraft } = props.edited;
  const choose = (choice: () => void) => () => {
    choice();
    props.onChosen?.();
  };
  return !isOvertaken ? null : (
    <div className="sw-notice" data-tone="warning" role="alert" data-testid="overtaken">
      <IconUsers size={16} aria-hidden />
      <div className="sw-notice-text">
        {rich(
          '<b>Somebody else saved this meanwhile.</b> What you filled in is kept. Go on with yours to see what it changes of theirs, or take theirs.',
          { b: (text) => <strong>{text}</strong> },
        )}
      </div>
      <Button size="compact-xs" onClick={choose(keepDraft)} data-testid="keep-mine">
        {t('Go on with mine')}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        onClick={choose(takeStored)}
        data-testid="take-theirs"
      >
        {t('Take theirs')}
      </Button>
    </div>
  );
}

/** The buttons under a changed setting; nothing while it is as it is stored. */
export function SaveSetting(props: {
  readonly action: Action;
  readonly edited: Kept & Pick<Edited<unknown>, 'isChanged'>;
  /** False: what stands there cannot be saved. */
  readonly ready?: boolean;
  readonly testId: string;
}) {
  const { action, edited } = props;
  return (
    <>
      <Overtaken edited={edited} onChosen={action.forget} />
      {action.error !== undefined && !edited.isOvertaken && (
        <ErrorState compact title={t('It was not saved')} error={action.error} />
      )}
      {edited.isChanged && (
        <Group mt="sm" gap="xs">
          <Button
            size="xs"
            loading={action.busy}
            disabled={props.ready === false || edited.isOvertaken}
            onClick={() => action.start()}
            data-testid={`${props.testId}-save`}
          >
            {t('Save')}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              edited.takeStored();
              action.forget();
            }}
          >
            {t('Discard')}
          </Button>
        </Group>
      )}
    </>
  );
}
