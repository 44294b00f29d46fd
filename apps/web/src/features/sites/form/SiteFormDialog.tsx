import Alert from '@mui/material/Alert'
import { type ReactNode, useState } from 'react'
import type { ApiError } from '../../../lib/problems.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { InputField } from '../../../ui/InputField.tsx'
import css from './form.module.css'
import { OwnerField } from './OwnerField.tsx'
import { isComplete, refusedField, requiredText, type SiteDraft } from './site-draft.ts'

type Props = {
  title: string
  submitLabel: string
  draft: SiteDraft
  onChange: (change: Partial<SiteDraft>) => void
  saving: { isPending: boolean; error: ApiError | null }
  /** What is told above the fields. */
  children?: ReactNode
  onSave: () => void
  onClose: () => void
}

type Line = Exclude<keyof SiteDraft, 'owner'>

export function SiteFormDialog({ title, submitLabel, draft, onChange, saving, children, onSave, onClose }: Props) {
  const [tried, setTried] = useState(false)
  const isMissing = tried && !isComplete(draft)
  const refused = refusedField(saving.error)
  const isShownAtField = Object.keys(refused).length > 0
  const handleSubmit = () => {
    setTried(true)
    if (isComplete(draft)) onSave()
  }
  const field = (line: Line, label: string, isRequired = false) => ({
    label,
    value: draft[line],
    onChange: (text: string) => onChange({ [line]: text }),
    problem: refused[line],
    problemId: isMissing && isRequired && draft[line].trim() === '' ? 'site-form-missing' : undefined,
    required: isRequired,
    disabled: saving.isPending,
    autoComplete: 'off',
  })
  const domain = draft.domain.trim()
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      pending={saving.isPending}
      error={isShownAtField ? null : saving.error}
      wide
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {children}
      {isMissing ? (
        <Alert severity="error" role="alert" id="site-form-missing">
          {requiredText}
        </Alert>
      ) : null}
      <div className={css['form']}>
        <InputField {...field('site_name', 'Site name', true)} autoFocus />
        <InputField {...field('domain', 'Domain', true)} help="Such as harbour.example" spellCheck={false} />
        <InputField {...field('subdomain', 'Subdomain')} help="Optional" spellCheck={false} />
        <OwnerField
          value={draft.owner}
          problem={refused.customer_id}
          disabled={saving.isPending}
          onChange={(owner) => onChange({ owner })}
        />
        <InputField
          {...field('deployment_url', 'Deployment URL')}
          type="url"
          help={draft.deployment_url.trim() || !domain ? 'Optional: http or https' : `Empty: https://${domain}`}
        />
        <InputField {...field('template_type', 'Template')} help="Optional" />
      </div>
    </FormDialog>
  )
}
