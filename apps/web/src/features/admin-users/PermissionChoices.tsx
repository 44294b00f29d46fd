import { permissionCategories, permissionTexts } from '@agency/contract/permission-texts'
import type { Permission } from '@agency/contract/types'
import { useSessionState } from '../../lib/session.ts'
import css from './admin-users.module.css'
import { whyNotHeld } from './role-rules.ts'

type Props = {
  value: readonly Permission[]
  onChange: (chosen: Permission[]) => void
  disabled: boolean
}

const all = Object.keys(permissionTexts) as Permission[]

export function PermissionChoices({ value: chosen, onChange, disabled }: Props) {
  const toggle = (permission: Permission, on: boolean) =>
    onChange(on ? [...chosen, permission] : chosen.filter((each) => each !== permission))
  return (
    <div className={css['groups']}>
      {permissionCategories.map((category) => (
        <fieldset key={category} className={css['group']}>
          <legend>{category}</legend>
          {all
            .filter((permission) => permissionTexts[permission].category === category)
            .map((permission) => (
              <Choice
                key={permission}
                permission={permission}
                checked={chosen.includes(permission)}
                disabled={disabled}
                onToggle={toggle}
              />
            ))}
        </fieldset>
      ))}
    </div>
  )
}

type ChoiceProps = {
  permission: Permission
  checked: boolean
  disabled: boolean
  onToggle: (permission: Permission, on: boolean) => void
}

function Choice({ permission, checked, disabled, onToggle }: ChoiceProps) {
  const { actor } = useSessionState()
  const reason = whyNotHeld(actor, permission)
  const { name, description } = permissionTexts[permission]
  return (
    <label className={css['choice']} title={reason ?? description}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled || reason !== undefined}
        onChange={(event) => onToggle(permission, event.target.checked)}
      />
      <span>
        {name}
        <code>{permission}</code>
        {reason ? <span className={css['muted']}>{reason}</span> : null}
      </span>
    </label>
  )
}
