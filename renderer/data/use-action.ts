import { useMutation } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** Something that somebody starts in a part of a page. */
export interface Action<Input = void> {
  readonly start: (input: Input) => void;
  readonly busy: boolean;
  /** Why it failed the last time; a new start forgets that. */
  readonly error: unknown;
  /** Forgets why it failed. */
  readonly forget: () => void;
}

/** Does the work at each start. What it was given is forgotten with the part. */
export function useAction<Input = void>(work: (input: Input) => Promise<unknown>): Action<Input> {
  const { mutate, isPending, error, reset } = useMutation<unknown, unknown, Input>(
    { mutationFn: work, gcTime: 0 },
    queryClient,
  );
  return { start: mutate, busy: isPending, error: error ?? undefined, forget: reset };
}
