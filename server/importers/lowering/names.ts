/** Gives each name once: a taken one gets `_2`, `_3` …. */
export class NameSet {
  private readonly taken = new Set<string>();
  private readonly next = new Map<string, number>();

  /** Number of names given so far. */
  get size(): number {
    return this.taken.size;
  }

  /** The name itself, or the first free numbered form of it. */
  claim(base: string): string {
    let name = base;
    let number = this.next.get(base) ?? 2;
    while (this.taken.has(name)) {
      name = `${base}_${number}`;
      number += 1;
    }
    if (name !== base) this.next.set(base, number);
    this.taken.add(name);
    return name;
  }
}
