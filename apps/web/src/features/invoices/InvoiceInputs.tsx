import { useState } from 'react'
import { useFieldArray, useWatch } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useProblem } from '../../lib/form/use-field.ts'
import { formatMoney } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { InvoiceLineInputs } from './InvoiceLineInputs.tsx'
import { emptyLine, type InvoiceFields, sumOf } from './invoice-order.ts'
import css from './invoices.module.css'

const maxLines = 20

type Props = { form: EditForm<InvoiceFields>; currency: string }

/** The lines and terms of a new invoice. */
export function InvoiceInputs({ form, currency }: Props) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'lines' })
  const [added, setAdded] = useState<number>()
  const handleAdd = () => {
    setAdded(fields.length)
    append(emptyLine, { shouldFocus: false })
  }
  return (
    <>
      <fieldset className={css['group']}>
        <legend>Lines</legend>
        {fields.map(({ id }, index) => (
          <InvoiceLineInputs
            key={id}
            form={form}
            index={index}
            currency={currency}
            isNew={index === added}
            onRemove={fields.length > 1 ? () => remove(index) : undefined}
          />
        ))}
        <div>
          <Button size="small" startIcon={<Icon name="add" />} disabled={fields.length >= maxLines} onClick={handleAdd}>
            Add line
          </Button>
        </div>
      </fieldset>
      <Sum form={form} currency={currency} />
      <div className={css['terms']}>
        <TextInput form={form} name="days" label="Days until due" inputProps={{ inputMode: 'numeric' }} />
        <TextInput
          form={form}
          name="memo"
          label="Memo"
          help="Shown on the invoice"
          inputProps={{ maxLength: 1000 }}
          multiline
          minRows={2}
        />
      </div>
    </>
  )
}

function Sum({ form, currency }: Props) {
  const lines = useWatch({ control: form.control, name: 'lines' })
  const problem = useProblem(form, 'lines')
  return (
    <>
      <div className={css['sum']} aria-live="polite">
        <span>Total</span>
        <span>{formatMoney(sumOf(lines, currency), currency)}</span>
      </div>
      {problem ? <p role="alert">{problem}</p> : null}
    </>
  )
}
