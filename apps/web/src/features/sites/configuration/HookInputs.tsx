import type { SiteSettings } from '@agency/contract/types'
import type { EditForm } from '../../../lib/form/use-edit-form.ts'
import { useField } from '../../../lib/form/use-field.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import css from './configuration.module.css'
import type { SettingsFields } from './settings-changes.ts'

type FormProps = { form: EditForm<SettingsFields> }
type Props = FormProps & {
  /** What is known of the hook that is set. */
  hook: SiteSettings['hook']
}

export function HookInputs({ form, hook }: Props) {
  const host = hook?.host ?? null
  const callback = useField(form, 'callback')
  return (
    <>
      <TextInput
        form={form}
        name="hookUrl"
        label="Hook address"
        type="url"
        help={host ? `Set (${host}). Leave empty to keep.` : 'Called for each deployment'}
        spellCheck={false}
      />
      <SecretInput form={form} hasSecret={hook?.has_secret ?? false} />
      <label className={css['check']}>
        <input
          type="checkbox"
          checked={callback.value}
          disabled={callback.disabled}
          onChange={(event) => callback.onChange(event.target.checked)}
        />
        The builder reports results, signed with the secret
      </label>
    </>
  )
}

function SecretInput({ form, hasSecret }: FormProps & { hasSecret: boolean }) {
  const { value: removes, onChange, disabled } = useField(form, 'removesSecret')
  const toggle = () => {
    onChange(!removes)
    form.setValue('hookSecret', '', { shouldDirty: true })
  }
  return (
    <div className={css['withButton']}>
      <TextInput
        form={form}
        name="hookSecret"
        label="Hook secret"
        type="password"
        help={secretHelp(hasSecret, removes)}
        disabled={disabled || removes}
        autoComplete="new-password"
      />
      {hasSecret ? (
        <Button size="small" color={removes ? 'primary' : 'error'} disabled={disabled} onClick={toggle}>
          {removes ? 'Keep secret' : 'Remove secret'}
        </Button>
      ) : null}
    </div>
  )
}

function secretHelp(hasSecret: boolean, removes: boolean): string {
  if (removes) return 'Removed once saved'
  return hasSecret ? 'Set. Leave empty to keep.' : 'Signs calls in both directions'
}
