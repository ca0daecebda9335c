/** The principal of every request while there is no sign-in (studio.md 4.1). */
export const LOCAL_OWNER = 'local-owner';
/** The principal of host commands (studio.md 4.1). */
export const OPERATOR = 'operator';
