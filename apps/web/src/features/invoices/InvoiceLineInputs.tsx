import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { currencyDigits } from '../../lib/format.ts'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import type { InvoiceFields } from './invoice-order.ts'
import css from './invoices.module.css'

type Props = {
  form: EditForm<InvoiceFields>
  /** 0 for the first. */
  index: number
  currency: string
  isNew: boolean
  /** Left out for the only line. */
  onRemove: (() => void) | undefined
}

export function InvoiceLineInputs({ form, index, currency, isNew, onRemove }: Props) {
  const digits = currencyDigits(currency) === 0 ? 'numeric' : 'decimal'
  return (
    <fieldset className={css['line']} aria-label={`Line ${index + 1}`}>
      <TextInput
        form={form}
        name={`lines.${index}.description`}
        label="Description"
        inputProps={{ maxLength: 500 }}
        autoFocus={isNew}
      />
      <TextInput
        form={form}
        name={`lines.${index}.amount`}
        label={`Amount in ${currency.toUpperCase()}`}
        inputProps={{ inputMode: digits }}
      />
      <TextInput form={form} name={`lines.${index}.quantity`} label="Quantity" inputProps={{ inputMode: 'numeric' }} />
      <IconButton label={`Remove line ${index + 1}`} disabled={!onRemove} onClick={() => onRemove?.()}>
        <Icon name="close" />
      </IconButton>
    </fieldset>
  )
}
