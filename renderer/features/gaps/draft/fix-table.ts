import { CHOOSE_MODEL, KEEP_MESSAGES } from './fix-agents.ts';
import { LIMIT_STEPS, ON_FAILURE, SET_CONDITION, TAKE_OUT } from './fix-flow.ts';
import { BY_AGENT, BY_PERSON, NAME_FUNCTION } from './fix-functions.ts';
import type { Fix } from './fix-types.ts';

/** Every kind of edit, the most direct answer first. */
export const FIXES: readonly Fix[] = [
  NAME_FUNCTION,
  CHOOSE_MODEL,
  LIMIT_STEPS,
  SET_CONDITION,
  ON_FAILURE,
  KEEP_MESSAGES,
  BY_PERSON,
  BY_AGENT,
  TAKE_OUT,
];
