/** True on a Mac, where Cmd is the main modifier. */
export const isMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);
