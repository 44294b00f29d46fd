import * as channels from '@agency/contract/descriptors/channels'
import type { Channel, Route } from '@agency/contract/types'
import { lazy, Suspense } from 'react'
import { useWatch } from 'react-hook-form'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { SwitchInput } from '../../ui/form/SwitchInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './alerts.module.css'
import { channelReads, severityChoices } from './alerts-search.ts'
import { RoutePreview } from './RoutePreview.tsx'
import { bodyOf, type RouteFields, routeFields, routeProblems } from './route-fields.ts'

const ChosenCustomers = lazy(() => import('./RouteChoices.tsx').then((m) => ({ default: m.ChosenCustomers })))
const ChosenPlans = lazy(() => import('./RouteChoices.tsx').then((m) => ({ default: m.ChosenPlans })))

const serverFields = {
  channel_id: 'channelId',
  min_severity: 'minSeverity',
  customer_ids: 'customers',
  plan_ids: 'plans',
  quiet: 'quietFrom',
} as const

type Props = { channels: readonly Channel[]; route?: Route; onClose: () => void }

export const RouteDialog = ({ channels: all, route, onClose }: Props) =>
  route ? <EditRoute all={all} route={route} onClose={onClose} /> : <AddRoute all={all} onClose={onClose} />

function AddRoute({ all, onClose }: { all: readonly Channel[]; onClose: () => void }) {
  const create = useCall(channels.createRoute, channelReads)
  const toast = useToast()
  const form = useEditForm<RouteFields>({
    ...{ values: routeFields(all), problemsOf: routeProblems, call: create, fields: serverFields },
  })
  const handleSubmit = (fields: RouteFields) =>
    create.mutate(
      { body: { channel_id: fields.channelId, ...bodyOf(fields) } },
      {
        onSuccess: ({ route }) => {
          toast.success(`Added route to ${route.channel_name}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog title="Add route" submitLabel="Add route" form={form} onSubmit={handleSubmit} onClose={onClose}>
      <SelectInput
        form={form}
        name="channelId"
        label="Channel"
        choices={all.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Fields form={form} />
    </EditFormDialog>
  )
}

function EditRoute({ all, route, onClose }: { all: readonly Channel[]; route: Route; onClose: () => void }) {
  const save = useCall(channels.updateRoute, channelReads)
  const toast = useToast()
  const form = useEditForm<RouteFields>({
    ...{ values: routeFields(all, route), problemsOf: routeProblems, call: save, fields: serverFields },
  })
  const handleSubmit = (fields: RouteFields) =>
    save.mutate(
      { params: { id: route.id }, body: { version: route.version, ...bodyOf(fields) } },
      {
        onSuccess: () => {
          toast.success(`Saved route to ${route.channel_name}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog
      title={`Edit route to ${route.channel_name}`}
      submitLabel="Save route"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Fields form={form} />
    </EditFormDialog>
  )
}

function Fields({ form }: { form: EditForm<RouteFields> }) {
  const isQuiet = useWatch({ control: form.control, name: 'isQuiet' })
  return (
    <>
      <SelectInput form={form} name="minSeverity" label="Send from severity" choices={severityChoices} />
      <Suspense fallback={<SkeletonLines count={2} />}>
        <ChosenCustomers form={form} />
        <ChosenPlans form={form} />
      </Suspense>
      <SwitchInput
        form={form}
        name="isQuiet"
        label="Quiet hours"
        help="Held and sent as one digest afterwards. Critical alerts are sent at once."
      />
      {isQuiet ? (
        <>
          <div className={css['pair']}>
            <TextInput form={form} name="quietFrom" label="From" placeholder="22:00" />
            <TextInput form={form} name="quietUntil" label="To" placeholder="07:00" />
          </div>
          <TextInput form={form} name="timeZone" label="Time zone" help="Such as Europe/Berlin" />
        </>
      ) : null}
      <RoutePreview form={form} />
    </>
  )
}
