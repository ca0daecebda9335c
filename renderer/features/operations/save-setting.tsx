import { Button, Group } from '@mantine/core';
import type { Route } from '../../../server/contract/route.ts';
import { queryClient, routePrefix } from '../../data/query-client.ts';
import type { Action } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';

/** Reads a setting anew after a write, or after somebody else's write refused it. */
export async function readAgain(...routes: readonly Route[]): Promise<void> {
  await Promise.all(
    routes.map((route) => queryClient.invalidateQueries({ queryKey: routePrefix(route) })),
  );
}

/** The buttons under a changed setting; nothing while it is as it is stored. */
export function SaveSetting(props: {
  readonly action: Action;
  readonly changed: boolean;
  /** False: what stands there cannot be saved. */
  readonly ready?: boolean;
  readonly onDiscard: () => void;
  readonly testId: string;
}) {
  const { action, changed, onDiscard } = props;
  return (
    <>
      {action.error !== undefined && (
        <ErrorState compact title="It was not saved" error={action.error} />
      )}
      {changed && (
        <Group mt="sm" gap="xs">
          <Button
            size="xs"
            loading={action.busy}
            disabled={props.ready === false}
            onClick={() => action.start()}
            data-testid={`${props.testId}-save`}
          >
            Save
          </Button>
          <Button size="xs" variant="default" onClick={onDiscard}>
            Discard
          </Button>
        </Group>
      )}
    </>
  );
}
