import { Badge } from './status-badge.tsx';

/** Whether two changes of a text fit together, else in how many places they do not. */
export function MergeBadge(props: { readonly conflicts: number; readonly testId?: string }) {
  const { conflicts, testId } = props;
  const id = testId === undefined ? {} : { testId };
  return conflicts === 0 ? (
    <Badge tone="success" {...id}>
      Both changes fit together
    </Badge>
  ) : (
    <Badge tone="warning" {...id}>
      {conflicts} {conflicts === 1 ? 'place' : 'places'} changed on both sides
    </Badge>
  );
}
