import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { InputField } from '../../ui/InputField.tsx'
import { emptyRow, type MetadataRow } from './customer-fields.ts'
import css from './customer-form.module.css'

type Props = {
  value: MetadataRow[]
  problem: string | undefined
  disabled: boolean
  onChange: (rows: MetadataRow[]) => void
}

export function MetadataFields({ value: rows, problem, disabled, onChange }: Props) {
  const change = (id: string, part: Partial<MetadataRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...part } : row)))
  return (
    <fieldset className={css['group']} disabled={disabled}>
      <legend>Metadata</legend>
      {rows.map(({ id, key, value }, index) => (
        <div key={id} className={css['pair']}>
          <InputField
            label={`Key ${index + 1}`}
            value={key}
            onChange={(text) => change(id, { key: text })}
            disabled={disabled}
            autoComplete="off"
          />
          <InputField
            label={`Value ${index + 1}`}
            value={value}
            onChange={(text) => change(id, { value: text })}
            disabled={disabled}
            autoComplete="off"
          />
          <IconButton
            label={`Remove pair ${index + 1}`}
            onClick={() => onChange(rows.filter((row) => row.id !== id))}
            disabled={disabled}
          >
            <Icon name="close" />
          </IconButton>
        </div>
      ))}
      {problem ? (
        <p role="alert" className={css['problem']}>
          {problem}
        </p>
      ) : null}
      <div>
        <Button
          size="small"
          startIcon={<Icon name="add" />}
          onClick={() => onChange([...rows, emptyRow()])}
          disabled={disabled}
        >
          Add metadata
        </Button>
      </div>
    </fieldset>
  )
}
