import { useState } from 'react'
import { formatMoney } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { InputField } from '../../ui/InputField.tsx'
import { InvoiceLineFields } from './InvoiceLineFields.tsx'
import { type Draft, emptyLine, type Problems, sumOf } from './invoice-draft.ts'
import css from './invoices.module.css'

const maxLines = 20

type Props = {
  draft: Draft
  currency: string
  problems: Problems | undefined
  onChange: (change: Partial<Draft>) => void
}

/** The lines and terms of a new invoice. */
export function InvoiceFields({ draft, currency, problems, onChange }: Props) {
  const { lines } = draft
  const [added, setAdded] = useState<number>()
  const handleAdd = () => {
    const key = Math.max(...lines.map((line) => line.key)) + 1
    setAdded(key)
    onChange({ lines: [...lines, emptyLine(key)] })
  }
  return (
    <>
      <fieldset className={css['group']}>
        <legend>Lines</legend>
        {lines.map((line, index) => (
          <InvoiceLineFields
            key={line.key}
            line={line}
            position={index + 1}
            currency={currency}
            problems={problems?.lines[line.key]}
            isNew={line.key === added}
            onChange={(change) =>
              onChange({ lines: lines.map((each) => (each.key === line.key ? { ...each, ...change } : each)) })
            }
            onRemove={
              lines.length > 1 ? () => onChange({ lines: lines.filter((each) => each.key !== line.key) }) : undefined
            }
          />
        ))}
        <div>
          <Button size="small" startIcon={<Icon name="add" />} disabled={lines.length >= maxLines} onClick={handleAdd}>
            Add line
          </Button>
        </div>
      </fieldset>
      <div className={css['sum']} aria-live="polite">
        <span>Total</span>
        <span>{formatMoney(sumOf(draft, currency), currency)}</span>
      </div>
      {problems?.total ? <p role="alert">{problems.total}</p> : null}
      <div className={css['terms']}>
        <InputField
          label="Days until due"
          value={draft.days}
          problem={problems?.days}
          inputProps={{ inputMode: 'numeric' }}
          autoComplete="off"
          onChange={(days) => onChange({ days })}
        />
        <InputField
          label="Memo"
          value={draft.memo}
          help="Shown on the invoice"
          inputProps={{ maxLength: 1000 }}
          multiline
          minRows={2}
          onChange={(memo) => onChange({ memo })}
        />
      </div>
    </>
  )
}
