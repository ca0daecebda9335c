const NUMBERS = new Intl.NumberFormat('en');

/** "1 run", "2 runs", "1,204 runs"; `many` where an s is not the plural. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${NUMBERS.format(count)} ${count === 1 ? one : many}`;
}
