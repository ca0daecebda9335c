/**
 * Specs of more characters are read beside the event loop: one of this size (about 1,000 agents) is
 * read, checked and compiled in some 35 ms.
 */
export const LARGE_SPEC = 98_304;
