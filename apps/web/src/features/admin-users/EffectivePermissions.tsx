import { permissionCategories, permissionTexts } from '@agency/contract/permission-texts'
import { Icon } from '../../ui/Icon.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import css from './admin-users.module.css'
import type { UserDetails } from './users-list.ts'

/** What somebody can do right now, and why or why not. */
export function EffectivePermissions({ details }: { details: UserDetails }) {
  const all = details.effective_permissions
  const granted = all.filter((each) => each.granted).length
  return (
    <>
      <p className={css['notice']}>
        <span>
          <bdi>{details.user.name}</bdi> has {granted} of {all.length} permissions.
        </span>
      </p>
      {permissionCategories.map((category) => (
        <section key={category}>
          <h3 className={css['category']}>{category}</h3>
          <ul className={css['effective']}>
            {all
              .filter(({ permission }) => permissionTexts[permission].category === category)
              .map(({ permission, granted: may, reason }) => (
                <li key={permission} title={permissionTexts[permission].description}>
                  <Icon name={may ? 'check' : 'close'} size={18} className={css[may ? 'yes' : 'no']} />
                  <span>
                    {permissionTexts[permission].name}
                    <Spoken>{may ? ': yes.' : ': no.'}</Spoken>
                  </span>
                  <span className={css['muted']}>{reason}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}
