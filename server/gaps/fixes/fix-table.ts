import { CHOOSE_MODEL, KEEP_MESSAGES } from './fix-agents.ts';
import { CHOOSE_START, LIMIT_STEPS, ON_FAILURE, SET_CONDITION, TAKE_OUT } from './fix-flow.ts';
import { BY_AGENT, BY_FUNCTION, BY_PERSON, NAME_FUNCTION } from './fix-functions.ts';
import { NAME_KEY, REWRITE_AGENT, SET_VALUES } from './fix-settings.ts';
import { BY_BUILT_IN, BY_CODE, BY_HTTP, BY_MCP, BY_MCP_STEP } from './fix-steps.ts';
import type { Fix } from './fix-types.ts';
import { BY_DRAFT } from './fix-workflow.ts';

/** Every kind of edit, the most direct answer first. */
export const FIXES: readonly Fix[] = [
  BY_DRAFT,
  NAME_FUNCTION,
  CHOOSE_MODEL,
  NAME_KEY,
  SET_VALUES,
  CHOOSE_START,
  LIMIT_STEPS,
  SET_CONDITION,
  ON_FAILURE,
  KEEP_MESSAGES,
  REWRITE_AGENT,
  BY_FUNCTION,
  BY_HTTP,
  BY_CODE,
  BY_BUILT_IN,
  BY_MCP_STEP,
  BY_MCP,
  BY_PERSON,
  BY_AGENT,
  TAKE_OUT,
];
