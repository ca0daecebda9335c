/** Stands for the rows of a table that are not drawn, above or below those in view. */
export function TableSpacer(props: { readonly height: number; readonly span: number }) {
  return props.height <= 0 ? null : (
    <tr data-spacer="true" aria-hidden>
      <td colSpan={props.span} style={{ height: props.height }} />
    </tr>
  );
}
