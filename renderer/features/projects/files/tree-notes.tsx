import { useQuery } from '@tanstack/react-query';
import { t } from '../../../../preload/texts/t.ts';
import { getTree, getTreeVersion } from '../../../../server/contract/studio/tree.ts';
import { routeQuery } from '../../../data/query-client.ts';

/** What of a large folder is not shown, or not seen at once; whoever shows the tree reads it. */
export function TreeNotes(props: { readonly projectId: string }) {
  const params = { project_id: props.projectId };
  const tree = useQuery({ ...routeQuery(getTree, { params }), enabled: false }).data;
  const seen = useQuery({ ...routeQuery(getTreeVersion, { params }), enabled: false }).data;
  return (
    <>
      {tree?.truncated === true && (
        <p className="sw-sidebar-note" data-testid="tree-truncated">
          {t(
            'The folder holds more than is shown and watched here: 5,000 files in 2,000 folders. Open a folder inside of it instead.',
          )}
        </p>
      )}
      {seen?.watched === false && (
        <p className="sw-sidebar-note" data-testid="tree-unwatched">
          {t('The system does not tell changes in this folder, so it is read every 15 seconds.')}
        </p>
      )}
    </>
  );
}
