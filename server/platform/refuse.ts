import { PLATFORM_ERRORS } from '../contract/platform/errors.ts';
import { refusalsOf } from '../kernel/refusal.ts';

/** Makes the refusals of the Run Platform; a code outside its table does not compile. */
export const refuse = refusalsOf(PLATFORM_ERRORS);
