import * as alerts from '@agency/contract/descriptors/alerts'
import type { AlertRule } from '@agency/contract/types'
import { useWatch } from 'react-hook-form'
import { q } from '../../lib/api.ts'
import { differences } from '../../lib/form/differences.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { EditDialog } from '../../ui/form/EditDialog.tsx'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { SwitchInput } from '../../ui/form/SwitchInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { ruleReads, severityChoices } from './alerts-search.ts'
import { RuleTrial } from './RuleTrial.tsx'
import {
  bodyOf,
  fieldsOf,
  isWithin,
  muteChoices,
  type RuleFields,
  ruleProblems,
  thresholdOf,
  withUnit,
} from './rule-fields.ts'

type Props = { ruleKey: string; onClose: () => void }
type Rules = { rules: readonly AlertRule[] }

export function EditRuleDialog({ ruleKey, onClose }: Props) {
  const find = ({ rules }: Rules) => rules.find(({ key }) => key === ruleKey)
  return (
    <EditDialog title="Edit rule" query={q(alerts.listAlertRules, {})} onClose={onClose}>
      {(answer, reload) => {
        const rule = find(answer)
        if (!rule) return <DetailsDialog {...notFound('Rule', 'The address may be wrong.')} onClose={onClose} />
        return (
          <Loaded
            rule={rule}
            reload={async () => fieldsOf(find(await reload()) ?? rule, Date.now())}
            onClose={onClose}
          />
        )
      }}
    </EditDialog>
  )
}

type LoadedProps = { rule: AlertRule; reload: () => Promise<RuleFields>; onClose: () => void }

function Loaded({ rule, reload, onClose }: LoadedProps) {
  const toast = useToast()
  const save = useCall(alerts.updateAlertRule, ruleReads)
  const form = useEditForm<RuleFields>({
    values: fieldsOf(rule, Date.now()),
    problemsOf: (typed) => ruleProblems(typed, rule.threshold),
    call: save,
    fields: { is_enabled: 'isEnabled', muted_until: 'mute' },
    reload,
  })
  const typed = thresholdOf(useWatch({ control: form.control, name: 'threshold' }))
  const handleSave = (values: RuleFields, before: RuleFields) => {
    const now = Date.now()
    const changes = differences(bodyOf(values, now), bodyOf(before, now))
    if (!changes) return onClose()
    save.mutate(
      { params: { key: rule.key }, body: { version: before.version, ...changes } },
      {
        onSuccess: () => {
          toast.success(`Saved rule: ${rule.name}`)
          onClose()
        },
      },
    )
  }
  return (
    <EditFormDialog
      title={`Edit rule: ${rule.name}`}
      intro={rule.description}
      submitLabel="Save rule"
      form={form}
      onSubmit={handleSave}
      onClose={onClose}
    >
      <SwitchInput form={form} name="isEnabled" label="Enabled" />
      {rule.threshold ? (
        <TextInput
          form={form}
          name="threshold"
          label={`Threshold (${rule.threshold.unit})`}
          inputMode="decimal"
          help={thresholdHelp(rule.threshold)}
        />
      ) : null}
      {rule.can_try && rule.threshold ? (
        <RuleTrial
          ruleKey={rule.key}
          unit={rule.threshold.unit}
          threshold={isWithin(typed, rule.threshold) ? typed : null}
        />
      ) : null}
      <SelectInput form={form} name="severity" label="Severity" choices={severityChoices} />
      <SelectInput form={form} name="mute" label="Mute" choices={muteChoices(rule, Date.now())} />
    </EditFormDialog>
  )
}

const thresholdHelp = ({ min, max, unit, default: initial }: NonNullable<AlertRule['threshold']>): string =>
  `${formatNumber(min, 3)} to ${withUnit(max, unit)}, by default ${withUnit(initial, unit)}`
