/**
 * Specs of more characters are read beside the event loop: the worst one of this size (all its steps
 * wrong, or hundreds of agents) is read, checked and compiled in some 20 ms.
 */
export const LARGE_SPEC = 24_576;
