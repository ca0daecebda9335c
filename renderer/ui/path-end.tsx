import './path-end.css';

/** A path of which the name at its end stays where there is not room for all of it; whole on hover. */
export function PathEnd({ path }: { readonly path: string }) {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className="sw-path-end" title={path}>
      {cut > 0 && <span>{path.slice(0, cut)}</span>}
      <span>{path.slice(cut)}</span>
    </span>
  );
}
