import * as reportSchedules from '@agency/contract/descriptors/report-schedules'
import type { ReportSchedule, ScheduledReport } from '@agency/contract/types'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { q, type ResponseOf } from '../../lib/api.ts'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { browserZone, timeZones } from '../../lib/format-time.ts'
import { useSessionState } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { EditDialog } from '../../ui/form/EditDialog.tsx'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { SearchChoice } from '../../ui/SearchChoice.tsx'
import { useToast } from '../../ui/Toast.tsx'
import type { PreviewOrder } from './PreviewDialog.tsx'
import { fieldsOf, hasFile, newFields, type ScheduleFields, scheduleProblems, termsOf } from './schedule-fields.ts'
import { hourText, monthDayChoices, nameOf, reportLabels, weekdays, zoneText } from './schedule-words.ts'
import css from './schedules.module.css'
import { scheduleReads, schedulesQuery } from './schedules-list.ts'

const PreviewDialog = lazy(() => import('./PreviewDialog.tsx').then((m) => ({ default: m.PreviewDialog })))

type Options = ResponseOf<typeof reportSchedules.getScheduleOptions>

const reportChoices = (['revenue', 'customers', 'usage', 'performance'] as const).map((value) => ({
  value,
  label: reportLabels[value],
}))
const formatChoices = [
  { value: 'none', label: 'None' },
  { value: 'csv', label: 'CSV' },
  { value: 'xlsx', label: 'Excel (XLSX)' },
  { value: 'pdf', label: 'PDF' },
]
const fileHelp: Partial<Record<ScheduledReport, string>> = {
  usage: 'For receivers who may see money (billing.read)',
  customer: 'A table of their websites',
}
const cadenceChoices = [
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month' },
]
const weekdayChoices = weekdays.map((label, index) => ({ value: String(index), label }))
const hourChoices = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }))
const zoneChoices = timeZones().map((value) => ({ value, label: zoneText(value) }))

const serverFields = { receiver_ids: 'receivers', month_day: 'monthDay', time_zone: 'timeZone' } as const

type Props = { customerId?: string; schedule?: ReportSchedule; onClose: () => void }

/** What is sent, to whom and when. */
export function ScheduleDialog({ customerId, schedule, onClose }: Props) {
  const title = schedule ? `Edit schedule: ${nameOf(schedule)}` : 'Add schedule'
  return (
    <EditDialog title={title} query={q(reportSchedules.getScheduleOptions, {})} onClose={onClose}>
      {(options) =>
        schedule ? (
          <EditSchedule title={title} schedule={schedule} options={options} onClose={onClose} />
        ) : (
          <AddSchedule title={title} customerId={customerId ?? null} options={options} onClose={onClose} />
        )
      }
    </EditDialog>
  )
}

type AddProps = { title: string; customerId: string | null; options: Options; onClose: () => void }

function AddSchedule({ title, customerId, options, onClose }: AddProps) {
  const create = useCall(reportSchedules.createReportSchedule, scheduleReads)
  const toast = useToast()
  const self = options.people.find(({ id, problem }) => id === options.self_id && problem === null)
  const form = useEditForm<ScheduleFields>({
    values: newFields(
      customerId !== null,
      options.time_zone ?? browserZone(),
      self && { id: self.id, name: self.name ?? self.email ?? self.id },
    ),
    ...{ problemsOf: scheduleProblems, call: create, fields: serverFields },
  })
  const handleSubmit = (fields: ScheduleFields) =>
    create.mutate(
      { body: termsOf(fields, customerId) },
      {
        onSuccess: ({ schedule }) => {
          toast.success(`Added schedule: ${nameOf(schedule)}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog title={title} submitLabel="Add schedule" form={form} onSubmit={handleSubmit} onClose={onClose}>
      <Fields form={form} customerId={customerId} options={options} />
    </EditFormDialog>
  )
}

type EditProps = { title: string; schedule: ReportSchedule; options: Options; onClose: () => void }

function EditSchedule({ title, schedule, options, onClose }: EditProps) {
  const save = useCall(reportSchedules.updateReportSchedule, scheduleReads)
  const toast = useToast()
  const client = useQueryClient()
  const [version, setVersion] = useState(schedule.version)
  const { id, customer_id: customerId } = schedule
  const reload = async () => {
    const { schedules } = await client.fetchQuery({ ...schedulesQuery(), staleTime: 0 })
    const now = schedules.find((one) => one.id === id) ?? schedule
    setVersion(now.version)
    return fieldsOf(now)
  }
  const form = useEditForm<ScheduleFields>({
    values: fieldsOf(schedule),
    ...{ problemsOf: scheduleProblems, call: save, fields: serverFields, reload },
  })
  const handleSubmit = (fields: ScheduleFields) =>
    save.mutate(
      { params: { id }, body: { version, ...termsOf(fields, customerId) } },
      {
        onSuccess: ({ schedule: saved }) => {
          toast.success(`Saved schedule: ${nameOf(saved)}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog title={title} submitLabel="Save schedule" form={form} onSubmit={handleSubmit} onClose={onClose}>
      <Fields form={form} customerId={customerId} options={options} />
      <p className={css['muted']}>Uses your permissions from now on.</p>
    </EditFormDialog>
  )
}

type FieldsProps = { form: EditForm<ScheduleFields>; customerId: string | null; options: Options }

function Fields({ form, customerId, options }: FieldsProps) {
  const [report, cadence] = useWatch({ control: form.control, name: ['report', 'cadence'] })
  const [previewed, setPreviewed] = useState<PreviewOrder>()
  const preview = () => {
    const { report: of, format, cadence: often, time_zone } = termsOf(form.getValues(), customerId)
    setPreviewed({ report: of, customer_id: customerId, format: format ?? null, cadence: often, time_zone })
  }
  return (
    <>
      {customerId === null ? (
        <>
          <SelectInput form={form} name="report" label="Report" choices={reportChoices} />
          <Receivers form={form} options={options} />
        </>
      ) : null}
      {hasFile(report) ? (
        <SelectInput form={form} name="format" label="Attached file" choices={formatChoices} help={fileHelp[report]} />
      ) : null}
      <SelectInput
        form={form}
        name="cadence"
        label="How often"
        choices={cadenceChoices}
        help={cadence === 'weekly' ? 'Covers the last full week, Sunday to Saturday' : 'Covers the last full month'}
      />
      <div className={css['pair']}>
        {cadence === 'weekly' ? (
          <SelectInput form={form} name="weekday" label="Day" choices={weekdayChoices} />
        ) : (
          <SelectInput form={form} name="monthDay" label="Day" choices={monthDayChoices} />
        )}
        <SelectInput form={form} name="hour" label="Time" choices={hourChoices} />
      </div>
      <SelectInput form={form} name="timeZone" label="Time zone" choices={zoneChoices} />
      <span>
        <Button variant="outlined" onClick={preview}>
          Preview
        </Button>
      </span>
      <Suspense>
        {previewed ? <PreviewDialog order={previewed} onClose={() => setPreviewed(undefined)} /> : null}
      </Suspense>
    </>
  )
}

function Receivers({ form, options }: Omit<FieldsProps, 'customerId'>) {
  const { value, onChange, problem, disabled } = useField(form, 'receivers')
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const people = options.people
    .filter((person) => person.problem === null)
    .map(({ id, name, email }) => ({ id, name: name ?? email ?? id, detail: email }))
    .filter(({ name, detail }) => `${name} ${detail ?? ''}`.toLowerCase().includes(wanted))
  const { actor } = useSessionState()
  const help = actor.permissions.includes('admin.users')
    ? options.people.length === 0
      ? 'Add administrators under Admin Users first'
      : 'Administrators with access to reports'
    : 'Choosing others needs admin.users'
  return (
    <SearchChoice
      label="Receivers"
      isMany
      options={people}
      chosen={value}
      isLoading={false}
      help={help}
      problem={problem}
      disabled={disabled}
      onSearch={setTyped}
      onChange={(chosen) => onChange(chosen.map(({ id, name }) => ({ id, name })))}
    />
  )
}
