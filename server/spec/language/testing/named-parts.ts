/** The beginning of a spec whose parts have names. */
export const HEAD = `version: v1
agent:
  name: root
components:
  agents:
    writer: {name: writer, description: Writes well.}
    reader: {name: reader}
  functions:
    stamp: {implementation: a.b}
tools:
  search: {description: Find., implementation: a.c}
`;
