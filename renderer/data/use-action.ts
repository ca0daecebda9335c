import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
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

/**
 * Does the work at each start, but not once more what is under way: of a double click, the second
 * one comes before a button can be shut. What it was given is forgotten with the part.
 */
export function useAction<Input = void>(work: (input: Input) => Promise<unknown>): Action<Input> {
  const underWay = useRef(new Set<Input>());
  const { mutate, isPending, error, reset } = useMutation<unknown, unknown, Input>(
    {
      mutationFn: async (input) => {
        try {
          await work(input);
        } finally {
          underWay.current.delete(input);
        }
      },
      gcTime: 0,
    },
    queryClient,
  );
  const start = (input: Input): void => {
    if (!underWay.current.has(input)) {
      underWay.current.add(input);
      mutate(input);
    }
  };
  return { start, busy: isPending, error: error ?? undefined, forget: reset };
}
