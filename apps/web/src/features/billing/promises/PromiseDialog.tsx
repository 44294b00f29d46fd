import * as slaCredits from '@agency/contract/descriptors/sla-credits'
import type { PlanPromise, UptimePromise } from '@agency/contract/types'
import { useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useCall } from '../../../lib/use-call.ts'
import { Button } from '../../../ui/Button.tsx'
import { EditFormDialog } from '../../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import css from '../billing.module.css'
import { fieldsOf, mostSteps, type PromiseFields, readPromise } from './promise-fields.ts'

const rules = 'Per calendar month in UTC. Credits are a percentage of the monthly price. Applies to new incidents.'
const steps = Array.from({ length: mostSteps }, (_, index) => index)

export function PromiseDialog({ promise, onClose }: { promise: PlanPromise; onClose: () => void }) {
  const set = useCall(slaCredits.setUptimePromise, [slaCredits.listUptimePromises])
  const toast = useToast()
  const form = useEditForm<PromiseFields>({
    values: fieldsOf(promise),
    problemsOf: (typed) => readPromise(typed).problems,
    call: set,
  })
  const save = (to: UptimePromise | null) =>
    set.mutate(
      { params: { id: promise.plan_id }, body: { version: promise.version, promise: to } },
      {
        onSuccess: () => {
          toast.success(to ? `${promise.plan_name} promises ${to.percent}%` : `${promise.plan_name} promises no uptime`)
          onClose()
        },
      },
    )
  const handleSubmit = (typed: PromiseFields) => {
    const { promise: to } = readPromise(typed)
    if (to) save(to)
  }
  return (
    <EditFormDialog
      title={`Uptime promise of ${promise.plan_name}`}
      intro={promise.promise ? rules : `No promise yet. Suggested figures below. ${rules}`}
      submitLabel="Save promise"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput form={form} name="percent" label="Promised uptime (%)" inputMode="decimal" autoFocus />
      {steps.map((step) => (
        <div key={step} className={css['promiseStep']}>
          <TextInput form={form} name={`below.${step}`} label={`Step ${step + 1}: below (%)`} inputMode="decimal" />
          <TextInput form={form} name={`credit.${step}`} label={`Step ${step + 1}: credit (%)`} inputMode="numeric" />
        </div>
      ))}
      {promise.promise ? (
        <Button color="error" onClick={() => save(null)} disabled={set.isPending}>
          Promise nothing
        </Button>
      ) : null}
    </EditFormDialog>
  )
}
