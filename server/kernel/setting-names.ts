type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is named almost like a setting. */
export interface StraySetting {
  readonly setting: string;
  readonly meant: string;
}

/** A setting that is set and has no effect, and why. */
export interface IgnoredSetting {
  readonly setting: string;
  readonly because: string;
}

/** Letters that are added, left out, replaced or swapped with their neighbour from one to the other. */
function changesBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          (last[column] ?? row) + 1,
          (next[column - 1] ?? column) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[column - 2] ?? row) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}

const MOST_CHANGES = 2;

/** Variables with the prefix that no reader asks for and that differ from a setting by a slip. */
export function straySettings(
  env: Environment,
  prefix: string,
  known: Iterable<string>,
): StraySetting[] {
  const settings = new Set([...known].filter((name) => name.startsWith(prefix)));
  const found: StraySetting[] = [];
  for (const setting of Object.keys(env).filter((name) => name.startsWith(prefix))) {
    if (settings.has(setting)) continue;
    const near = [...settings].find((name) => changesBetween(setting, name) <= MOST_CHANGES);
    if (near !== undefined) found.push({ setting, meant: near });
  }
  return found;
}
