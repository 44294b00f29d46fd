import type { EditForm } from '../../../lib/form/use-edit-form.ts'
import { SelectInput } from '../../../ui/form/SelectInput.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import type { CheckFields } from './check-fields.ts'
import css from './checks.module.css'

const methods = [
  { value: 'GET', label: 'GET' },
  { value: 'HEAD', label: 'HEAD' },
]
const intervals = [
  { value: '30', label: '30 seconds' },
  { value: '60', label: '1 minute' },
  { value: '120', label: '2 minutes' },
  { value: '300', label: '5 minutes' },
  { value: '600', label: '10 minutes' },
  { value: '900', label: '15 minutes' },
  { value: '1800', label: '30 minutes' },
  { value: '3600', label: '1 hour' },
]
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ value: String(from + index), label: String(from + index) }))

/** What is asked, and how often. */
export function RequestInputs({ form }: { form: EditForm<CheckFields> }) {
  return (
    <section>
      <h3 className={css['heading']}>Request</h3>
      <div className={css['fields']}>
        <TextInput
          form={form}
          name="path"
          label="Path or address"
          help="Empty: the health-check path under Configuration"
          spellCheck={false}
        />
        <SelectInput form={form} name="method" label="Method" choices={methods} />
        <SelectInput form={form} name="interval" label="Interval" choices={intervals} />
        <TextInput form={form} name="timeout" label="Time-out in seconds" inputMode="numeric" />
        <SelectInput
          form={form}
          name="retries"
          label="Retries"
          choices={numbers(0, 3)}
          help="Extra tries before a check fails"
        />
        <div className={css['pair']}>
          <SelectInput form={form} name="failures" label="Down after" choices={numbers(1, 5)} help="Failed checks" />
          <SelectInput form={form} name="of" label="Of the last" choices={numbers(1, 5)} help="Checks" />
        </div>
      </div>
    </section>
  )
}
