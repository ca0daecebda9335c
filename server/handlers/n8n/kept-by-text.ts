/** Makes something once for the same text, of the last few: making takes longer than using. */
export function keptByText<Made>(
  most: number,
  make: (text: string) => Made,
): (text: string) => Made {
  const kept = new Map<string, Made>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    if (kept.size >= most) kept.clear();
    kept.set(text, made);
    return made;
  };
}
