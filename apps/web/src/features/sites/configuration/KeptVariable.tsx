import type { Dispatch, SetStateAction } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from './configuration.module.css'
import type { EnvironmentDraft } from './environment-draft.ts'
import { ValueField } from './ValueField.tsx'

type Props = {
  name: string
  draft: EnvironmentDraft
  /** Why whoever looks may not change it. */
  denial: string | undefined
  onChange: Dispatch<SetStateAction<EnvironmentDraft>>
}

/** A variable that there is: its value can be replaced and never be seen. */
export function KeptVariable({ name, draft, denial, onChange }: Props) {
  const value = draft.changed[name]
  const isRemoved = draft.removed.includes(name)
  const keep = () =>
    onChange(({ changed: { [name]: _, ...changed }, removed, added }) => ({
      changed,
      removed: removed.filter((each) => each !== name),
      added,
    }))
  const replace = (next: string) => onChange((now) => ({ ...now, changed: { ...now.changed, [name]: next } }))
  const remove = () => onChange((now) => ({ ...now, removed: [...now.removed, name] }))
  return (
    <li className={css['variable']}>
      <code className={css['name']} data-removed={isRemoved}>
        {name}
      </code>
      <span className={css['value']}>
        {isRemoved ? (
          <StatusChip tone="warning" label="Removed once saved" />
        ) : value === undefined ? (
          <span className={css['masked']} role="img" aria-label="Hidden value">
            ••••••••
          </span>
        ) : (
          <ValueField label={`New value of ${name}`} value={value} onChange={replace} isAskedFor />
        )}
      </span>
      <span className={css['acts']}>
        {isRemoved || value !== undefined ? (
          <Button size="small" aria-label={`Keep ${name}`} onClick={keep}>
            Keep
          </Button>
        ) : (
          <>
            <Button
              size="small"
              disabled={denial !== undefined}
              title={denial}
              aria-label={`Replace ${name}`}
              onClick={() => replace('')}
            >
              Replace
            </Button>
            <Button
              size="small"
              color="error"
              disabled={denial !== undefined}
              title={denial}
              aria-label={`Remove ${name}`}
              onClick={remove}
            >
              Remove
            </Button>
          </>
        )}
      </span>
    </li>
  )
}
