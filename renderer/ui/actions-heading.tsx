import { t } from '../../preload/texts/t.ts';

/** The heading of a column of buttons, for who does not see that they need none. */
export function ActionsHeading() {
  return (
    <th scope="col">
      <span className="sw-visually-hidden">{t('Actions')}</span>
    </th>
  );
}
