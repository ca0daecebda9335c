/** Reading a value costs as much as reading a text of so many characters, however short it is. */
const VALUE = 12;

/**
 * Whether a JSON value weighs more than so many characters. Every value weighs its text and at least
 * {@link VALUE}: 22 KB of empty objects cost more than 22 KB of prose. Stops as soon as it is known.
 */
export function isHeavier(value: unknown, most: number): boolean {
  let left = most;
  const weigh = (item: unknown): boolean => {
    if (typeof item === 'string') left -= Math.max(VALUE, item.length);
    else left -= VALUE;
    if (left < 0) return true;
    if (typeof item !== 'object' || item === null) return false;
    if (Array.isArray(item)) return item.some(weigh);
    for (const [name, member] of Object.entries(item)) {
      left -= name.length;
      if (weigh(member)) return true;
    }
    return false;
  };
  return weigh(value);
}
