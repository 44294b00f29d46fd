import { permissionCategories, permissionTexts } from '@agency/contract/permission-texts'
import type { Permission } from '@agency/contract/types'
import { Icon } from '../../ui/Icon.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import css from './profile.module.css'

type Props = { held: readonly Permission[]; everything: boolean }

const all = Object.entries(permissionTexts) as [Permission, (typeof permissionTexts)[Permission]][]

export function PermissionsPanel({ held, everything }: Props) {
  return (
    <Panel title="Your permissions">
      <p className={css['muted']}>
        {everything
          ? 'Super admins have all permissions.'
          : `${held.length} of ${all.length} permissions, by your role.`}
      </p>
      {permissionCategories.map((category) => (
        <section key={category}>
          <h3 className={css['category']}>{category}</h3>
          <ul className={css['permissions']}>
            {all
              .filter(([, text]) => text.category === category)
              .map(([id, text]) => (
                <PermissionLine key={id} id={id} text={text} granted={held.includes(id)} />
              ))}
          </ul>
        </section>
      ))}
    </Panel>
  )
}

type LineProps = { id: Permission; text: (typeof permissionTexts)[Permission]; granted: boolean }

function PermissionLine({ id, text, granted }: LineProps) {
  return (
    <li data-granted={granted} title={`${id}: ${text.description}`}>
      <Icon name={granted ? 'check' : 'close'} size={18} />
      <span>
        {text.name}
        <Spoken>{granted ? ': yes' : ': no'}</Spoken>
      </span>
    </li>
  )
}
