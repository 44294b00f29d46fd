import type { Setting } from '@agency/contract/types'
import { type FieldValue, fieldOf } from './draft.ts'
import css from './settings.module.css'

export type ControlProps = {
  id: string
  setting: Setting
  /** What was typed; undefined where nothing was, null for the way back to the default. */
  field: FieldValue | undefined
  disabled: boolean
  problem: string | undefined
  onField: (field: FieldValue) => void
}

export function SettingControl({ id, setting, field, disabled, problem, onField }: ControlProps) {
  const shown =
    field === undefined
      ? fieldOf(setting, setting.value)
      : field === null
        ? fieldOf(setting, setting.default_value)
        : field
  const shared = {
    id,
    disabled,
    className: css['control'],
    'aria-describedby': problem ? `${id}-hint ${id}-problem` : `${id}-hint`,
    'aria-invalid': problem ? true : undefined,
  }
  if (typeof shown === 'boolean') {
    return (
      <input
        {...shared}
        type="checkbox"
        className={css['switch']}
        checked={shown}
        onChange={(event) => onField(event.target.checked)}
      />
    )
  }
  if (setting.kind === 'choice') return <Choices {...shared} setting={setting} value={shown} onField={onField} />
  if (setting.kind === 'emails') {
    return (
      <textarea
        {...shared}
        rows={Math.min(6, Math.max(2, shown.split('\n').length))}
        value={shown}
        spellCheck={false}
        placeholder="One address per line"
        onChange={(event) => onField(event.target.value)}
      />
    )
  }
  return (
    <span className={css['measure']}>
      <input
        {...shared}
        value={shown}
        inputMode={setting.kind === 'number' ? 'numeric' : undefined}
        data-kind={setting.kind}
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        onChange={(event) => onField(event.target.value)}
      />
      {setting.unit}
    </span>
  )
}

type ChoicesProps = {
  id: string
  disabled: boolean
  className: string | undefined
  setting: Setting
  value: string
  onField: (field: FieldValue) => void
}

function Choices({ setting, value, onField, ...shared }: ChoicesProps) {
  const choices = setting.choices ?? []
  const known = choices.some((choice) => choice.value === value)
  return (
    <select {...shared} value={value} onChange={(event) => onField(event.target.value)}>
      {known ? null : <option value={value}>{value || 'Not set'}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}
