import type { SiteSettings } from '@agency/contract/types'
import { Button } from '../../../ui/Button.tsx'
import { InputField } from '../../../ui/InputField.tsx'
import css from './configuration.module.css'
import type { SettingsDraft, SettingsProblems } from './settings-draft.ts'

type Props = {
  draft: SettingsDraft
  /** What is known of the hook that is set. */
  hook: SiteSettings['hook']
  problems: SettingsProblems
  disabled: boolean
  onChange: (change: Partial<SettingsDraft>) => void
}

export function HookFields({ draft, hook, problems, disabled, onChange }: Props) {
  const host = hook?.host ?? null
  const hasSecret = hook?.has_secret ?? false
  return (
    <>
      <InputField
        label="Hook address"
        type="url"
        value={draft.hookUrl}
        problem={problems.hookUrl}
        help={host ? `Set, leading to ${host}. Empty keeps it; it is never shown again.` : 'Asked for each deployment'}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        onChange={(hookUrl) => onChange({ hookUrl })}
      />
      <div className={css['withButton']}>
        <InputField
          label="Hook secret"
          type="password"
          value={draft.hookSecret}
          problem={problems.hookSecret}
          help={secretHelp(hasSecret, draft.removesSecret)}
          disabled={disabled || draft.removesSecret}
          autoComplete="new-password"
          onChange={(hookSecret) => onChange({ hookSecret })}
        />
        {hasSecret ? (
          <Button
            size="small"
            color={draft.removesSecret ? 'primary' : 'error'}
            disabled={disabled}
            onClick={() => onChange({ removesSecret: !draft.removesSecret, hookSecret: '' })}
          >
            {draft.removesSecret ? 'Keep secret' : 'Remove secret'}
          </Button>
        ) : null}
      </div>
      <label className={css['check']}>
        <input
          type="checkbox"
          checked={draft.callback}
          disabled={disabled}
          onChange={(event) => onChange({ callback: event.target.checked })}
        />
        The builder tells how it went, signed with the secret
      </label>
    </>
  )
}

function secretHelp(hasSecret: boolean, removes: boolean): string {
  if (removes) return 'Removed once saved'
  return hasSecret ? 'A secret is set. Empty keeps it; it is never shown again.' : 'Signs what goes to and fro'
}
