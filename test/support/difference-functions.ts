import type { RegisteredHandler } from '../../server/runtime/handler-registry.ts';

function text(value: unknown): string {
  return String(value);
}

function steps(): Record<string, RegisteredHandler> {
  let calls = 0;
  return {
    echo: ([input]) => text(input),
    f: ([input]) => `${text(input)}!`,
    g: () => null,
    up: ([input]) => text(input).toUpperCase(),
    empty: () => '',
    boom_rt: () => {
      throw new Error('broken');
    },
    none: () => null,
    num: () => 7,
    flt: () => 1.5,
    yes: () => true,
    obj: ([input]) => ({ text: text(input) }),
    lst: ([input]) => [text(input), 1],
    ws: ([input]) => `  ${text(input)}  `,
    nl: ([input]) => `${text(input)}\nline`,
    dup: ([input]) => `${text(input)}|${text(input)}`,
    rev: ([input]) => [...text(input)].reverse().join(''),
    left: () => 'left',
    count: () => {
      calls += 1;
      return text(calls);
    },
  };
}

/** What guard functions may answer, by their name. */
const VERDICTS: Readonly<Record<string, unknown>> = {
  g_none: null,
  g_str: 'no',
  g_empty: '',
  g_zero: 0,
  g_number: 1,
  g_list: [false],
  g_object: { reason: 'no passed' },
  g_passed_text: { passed: 'false' },
  g_passed_null: { passed: null },
  g_passed_number: { passed: 1 },
  g_true: true,
  g_false: false,
  g_passes: { passed: true },
  g_fails: { passed: false, reason: 'not this', revised_text: 'revised' },
};

const tools: Readonly<Record<string, RegisteredHandler>> = {
  t_args: ([args]) => JSON.stringify(args).replaceAll('":"', '": "').replaceAll('","', '", "'),
  t_none: () => null,
  t: () => 'hits',
  t_text: () => 'found',
};

/** The functions, guards and tools that the specs of test/fixtures/differences.json name, as `fz.<name>`. */
export function differenceFunctions(): Record<string, RegisteredHandler> {
  const guards = Object.entries(VERDICTS).map(([name, answer]): [string, RegisteredHandler] => [
    name,
    () => answer,
  ]);
  const all = [...Object.entries(steps()), ...Object.entries(tools), ...guards];
  return Object.fromEntries(all.map(([name, handler]) => [`fz.${name}`, handler]));
}
