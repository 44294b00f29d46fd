import type { Setting } from '@agency/contract/types'
import { useId } from 'react'
import { formatTime } from '../../lib/format-time.ts'
import { Button } from '../../ui/Button.tsx'
import { isOvertaken } from './draft.ts'
import { SecretControl } from './SecretControl.tsx'
import { SettingControl } from './SettingControl.tsx'
import css from './settings.module.css'
import { sourceWords, valueWords } from './settings-words.ts'
import type { Form } from './use-draft.ts'

type Props = { setting: Setting; form: Form; onHistory: () => void }

export function SettingRow({ setting, form, onHistory }: Props) {
  const id = useId()
  const change = form.draft[setting.key]
  const locked = setting.source === 'environment'
  const problem = form.problemOf(setting)
  const shared = {
    id,
    setting,
    field: change?.field,
    disabled: locked || form.saving,
    problem,
    onField: (field: string | boolean | null) => form.setField(setting, field),
  }
  // A secret that is being typed has its own way back.
  const typedSecret = setting.kind === 'secret' && typeof change?.field === 'string'
  const canReset = setting.source === 'database' && setting.kind !== 'secret' && change === undefined
  return (
    <div className={css['row']} data-changed={change !== undefined}>
      <div className={css['words']}>
        <label htmlFor={id} className={css['label']}>
          {setting.label}
        </label>
        <p id={`${id}-hint`} className={css['hint']}>
          {setting.hint}
          {boundsOf(setting)}
        </p>
      </div>
      <div className={css['value']}>
        {setting.kind === 'secret' ? <SecretControl key={form.round} {...shared} /> : <SettingControl {...shared} />}
        {problem ? (
          <p id={`${id}-problem`} role="alert" className={css['problem']}>
            {problem}
          </p>
        ) : null}
        {setting.problem ? <p className={css['problem']}>{setting.problem}</p> : null}
        {isOvertaken(setting, form.draft) ? <Overtaken setting={setting} form={form} /> : null}
        <div className={css['source']}>
          <span>{sourceWords(setting)}</span>
          {setting.version > 0 ? (
            <Button size="small" onClick={onHistory} aria-label={`History of ${setting.label}`}>
              History
            </Button>
          ) : null}
          {canReset ? (
            <Button
              size="small"
              aria-label={`Use default of ${setting.label}`}
              title={valueWords(setting, setting.default_value)}
              onClick={() => form.setField(setting, null)}
            >
              Use default
            </Button>
          ) : null}
          {change && !typedSecret ? (
            <Button
              size="small"
              aria-label={`Undo the change of ${setting.label}`}
              onClick={() => form.drop(setting.key)}
            >
              Undo
            </Button>
          ) : null}
        </div>
      </div>
    </div>
  )
}

function boundsOf({ kind, min, max, unit }: Setting): string {
  if (kind !== 'number' || min === null || max === null) return ''
  return ` From ${min} to ${max}${unit ? ` ${unit}` : ''}.`
}

function Overtaken({ setting, form }: { setting: Setting; form: Form }) {
  const { updated_by, updated_at, is_set, kind, value } = setting
  const now = kind === 'secret' ? (is_set ? 'Set' : 'Not set') : valueWords(setting, value)
  return (
    <div role="alert" className={css['overtaken']}>
      <p>
        {updated_by ?? 'Someone'} changed this{updated_at ? ` at ${formatTime(updated_at)}` : ''} while you were
        editing. It is now: <bdi>{now}</bdi>
      </p>
      <Button size="small" color="inherit" onClick={() => form.keepMine(setting)}>
        Keep mine
      </Button>
      <Button size="small" color="inherit" onClick={() => form.drop(setting.key)}>
        Take theirs
      </Button>
    </div>
  )
}
