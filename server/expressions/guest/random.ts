const state = { seed: 1 };

/** Sets what `Math.random` goes on from: the interpreter itself begins alike each time. */
export function setRandom(seed: number): void {
  state.seed = seed | 0;
}

Math.random = (): number => {
  state.seed = (state.seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state.seed ^ (state.seed >>> 15), 1 | state.seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};
