import { currencyDigits } from '../../lib/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { InputField } from '../../ui/InputField.tsx'
import type { LineDraft, LineProblems } from './invoice-draft.ts'
import css from './invoices.module.css'

type Props = {
  line: LineDraft
  /** 1 for the first. */
  position: number
  currency: string
  problems: LineProblems | undefined
  isNew: boolean
  onChange: (change: Partial<LineDraft>) => void
  /** Left out for the only line. */
  onRemove: (() => void) | undefined
}

export function InvoiceLineFields({ line, position, currency, problems, isNew, onChange, onRemove }: Props) {
  return (
    <fieldset className={css['line']} aria-label={`Line ${position}`}>
      <InputField
        label="Description"
        value={line.description}
        problem={problems?.description}
        inputProps={{ maxLength: 500 }}
        autoComplete="off"
        autoFocus={isNew}
        onChange={(description) => onChange({ description })}
      />
      <InputField
        label={`Amount in ${currency.toUpperCase()}`}
        value={line.amount}
        problem={problems?.amount}
        inputProps={{ inputMode: currencyDigits(currency) === 0 ? 'numeric' : 'decimal' }}
        autoComplete="off"
        onChange={(amount) => onChange({ amount })}
      />
      <InputField
        label="Quantity"
        value={line.quantity}
        problem={problems?.quantity}
        inputProps={{ inputMode: 'numeric' }}
        autoComplete="off"
        onChange={(quantity) => onChange({ quantity })}
      />
      <IconButton label={`Remove line ${position}`} disabled={!onRemove} onClick={() => onRemove?.()}>
        <Icon name="close" />
      </IconButton>
    </fieldset>
  )
}
