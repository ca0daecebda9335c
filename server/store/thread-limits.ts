/** A report of the process's death, should a thread cause it, names no variable of the environment. */
const REPORT_WORDS = ['--report-exclude-env'];

/**
 * How a thread is started so that one which wants too much memory ends alone. `youngMb` bounds the
 * memory for what lives shortly; without it Node decides.
 */
export function threadLimits(memoryMb: number, youngMb?: number) {
  return {
    execArgv: [...process.execArgv, ...REPORT_WORDS],
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      ...(youngMb !== undefined && { maxYoungGenerationSizeMb: youngMb }),
    },
  };
}
