const OPEN_MEMBERS = 4;

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function leafText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function sizeText(value: object): string {
  const count = Object.keys(value).length;
  return Array.isArray(value) ? `[${count}]` : `{${count}}`;
}

/** A JSON value as a tree whose larger branches are folded. */
export function StateTree(props: { readonly value: object }) {
  return (
    <ul className="sw-tree">
      {Object.entries(props.value).map(([name, value]: [string, unknown]) => (
        <li key={name}>
          {isBranch(value) && Object.keys(value).length > 0 ? (
            <details open={Object.keys(value).length < OPEN_MEMBERS && name !== 'metadata'}>
              <summary>
                <span className="sw-tree-name">{name}</span>{' '}
                <span className="sw-faint">{sizeText(value)}</span>
              </summary>
              <StateTree value={value} />
            </details>
          ) : (
            <>
              <span className="sw-tree-name">{name}</span>{' '}
              <span className="sw-tree-leaf" data-kind={value === null ? 'null' : typeof value}>
                {leafText(value)}
              </span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
