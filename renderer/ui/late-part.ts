import { useEffect, useState } from 'react';

/**
 * A part of the window that comes apart from the rest, and is read when it is first needed. Unlike a
 * lazy component it can be asked for before there is anything to draw, and is drawn as soon as it is
 * here: React would hold back for 300 ms what it suspended.
 */
export class LatePart<Part> {
  readonly #read: () => Promise<Part>;
  #reading: Promise<void> | undefined;
  #part: Part | undefined;

  constructor(read: () => Promise<Part>) {
    this.#read = read;
  }

  /** Undefined until it was read. */
  get part(): Part | undefined {
    return this.#part;
  }

  /** Reads it, once; after a failure the next who needs it tries again. */
  begin(): Promise<void> {
    this.#reading ??= this.#read().then(
      (part) => {
        this.#part = part;
      },
      (error: unknown) => {
        this.#reading = undefined;
        throw error;
      },
    );
    return this.#reading;
  }
}

/** The part once it is read; what prevented that is thrown to the nearest error boundary. */
export function useLatePart<Part>(late: LatePart<Part>): Part | undefined {
  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
  const [, setIsRead] = useState(late.part !== undefined);
  useEffect(() => {
    let isHere = true;
    late.begin().then(
      () => isHere && setIsRead(true),
      (error: unknown) => isHere && setFailure({ error }),
    );
    return () => {
      isHere = false;
    };
  }, [late]);
  if (failure !== null && late.part === undefined) {
    throw failure.error;
  }
  return late.part;
}
