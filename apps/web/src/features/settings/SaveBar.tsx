import type { Setting } from '@agency/contract/types'
import { Button } from '../../ui/Button.tsx'
import { type FieldValue, readField } from './draft.ts'
import css from './settings.module.css'
import { valueWords } from './settings-words.ts'
import type { Form } from './use-draft.ts'

type Props = { form: Form }

/** Stays in sight while something is not saved. */
export function SaveBar({ form }: Props) {
  const { changed, draft, saving, blocked, refusal } = form
  if (changed.length === 0) return null
  return (
    <section className={css['bar']} aria-label="Unsaved changes">
      <details className={css['changes']}>
        <summary aria-live="polite">{changed.length === 1 ? '1 change' : `${changed.length} changes`}</summary>
        <ul>
          {changed.map((setting) => (
            <li key={setting.key}>
              <strong>{setting.label}</strong>: <bdi>{savedWords(setting)}</bdi> →{' '}
              <bdi>{draftWords(setting, draft[setting.key]?.field ?? null)}</bdi>
            </li>
          ))}
        </ul>
      </details>
      <Button disabled={saving} onClick={form.discard}>
        Discard
      </Button>
      <Button type="submit" variant="contained" loading={saving}>
        Save
      </Button>
      {blocked || refusal ? (
        <p role="alert" className={css['refused']}>
          {blocked ?? refusal}
        </p>
      ) : null}
    </section>
  )
}

function savedWords(setting: Setting): string {
  return valueWords(setting, setting.kind === 'secret' ? setting.is_set : setting.value)
}

function draftWords(setting: Setting, field: FieldValue): string {
  if (setting.kind === 'secret') return field === null ? 'Removed' : 'A new value'
  if (field === null) return `${valueWords(setting, setting.default_value)} (default)`
  const read = readField(setting, field)
  return 'problem' in read ? String(field) : valueWords(setting, read.value)
}
