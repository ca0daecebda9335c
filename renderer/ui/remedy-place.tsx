import { Button } from '@mantine/core';
import { handlersStore, runCommand } from '../app/commands.ts';
import { remedyPlaceOf } from './remedies.ts';
import { useStore } from './store.ts';

/** The way to the page where a refusal can be settled, while its project is open. */
export function RemedyPlace(props: { readonly code: string }) {
  const handlers = useStore(handlersStore);
  const place = remedyPlaceOf(props.code);
  if (place === undefined || !handlers.has(place.command)) {
    return null;
  }
  return (
    <Button size="xs" onClick={() => runCommand(place.command)} data-testid="remedy-place">
      {place.label}
    </Button>
  );
}
