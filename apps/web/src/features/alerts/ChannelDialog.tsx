import * as channels from '@agency/contract/descriptors/channels'
import type { Channel } from '@agency/contract/types'
import { useWatch } from 'react-hook-form'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { SwitchInput } from '../../ui/form/SwitchInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { KeyOnceDialog } from '../../ui/KeyOnceDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './alerts.module.css'
import { channelReads, severityChoices } from './alerts-search.ts'
import { type ChannelFields, channelProblems, fieldsOf, kindLabels, newChannel } from './channel-fields.ts'

const kindChoices = (['webhook', 'slack', 'mail', 'push'] as const).map((value) => ({
  value,
  label: kindLabels[value],
}))

const serverFields = { min_severity: 'minSeverity', is_enabled: 'isEnabled', is_escalation: 'isEscalation' } as const

type Props = { channel?: Channel; onClose: () => void }

export const ChannelDialog = ({ channel, onClose }: Props) =>
  channel ? <EditChannel channel={channel} onClose={onClose} /> : <AddChannel onClose={onClose} />

function AddChannel({ onClose }: { onClose: () => void }) {
  const create = useCall(channels.createChannel, channelReads)
  const toast = useToast()
  const form = useEditForm<ChannelFields>({
    values: newChannel,
    problemsOf: (typed) => channelProblems(typed, true),
    call: create,
    fields: serverFields,
  })
  const kind = useWatch({ control: form.control, name: 'kind' })
  const secret = create.data?.signing_secret
  if (create.data && secret)
    return (
      <KeyOnceDialog title={`Signing secret of ${create.data.channel.name}`} secret={secret} onClose={onClose}>
        <p>
          Every delivery is signed with the secret, in the header x-console-signature: HMAC-SHA256 of the time, a dot
          and the body.
        </p>
      </KeyOnceDialog>
    )
  const handleSubmit = ({ kind: chosen, name, target, minSeverity }: ChannelFields) =>
    create.mutate(
      { body: { kind: chosen, name: name.trim(), target: target.trim() || undefined, min_severity: minSeverity } },
      {
        onSuccess: ({ channel, signing_secret }) => {
          toast.success(`Added channel: ${channel.name}`)
          if (signing_secret === null) onClose()
        },
      },
    )
  return (
    <EditFormDialog title="Add channel" submitLabel="Add channel" form={form} onSubmit={handleSubmit} onClose={onClose}>
      <SelectInput form={form} name="kind" label="Kind" choices={kindChoices} />
      <TextInput form={form} name="name" label="Name" help='Such as "On call"' inputProps={{ maxLength: 80 }} />
      {kind === 'push' ? (
        <p className={css['muted']}>{pushHelp}</p>
      ) : (
        <TextInput
          form={form}
          name="target"
          label={kind === 'mail' ? 'Mail addresses' : 'Address'}
          help={kind === 'mail' ? mailHelp : 'Stored encrypted; only the host is shown later'}
        />
      )}
      <SelectInput
        form={form}
        name="minSeverity"
        label="Send from severity"
        choices={severityChoices}
        help="Creates a first route. Set customers, plans and quiet hours there."
      />
    </EditFormDialog>
  )
}

const pushHelp = 'Sent to every browser with notifications turned on (under the bell).'
const mailHelp = 'Up to 20, separated by commas. Each gets a separate email.'

function EditChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const save = useCall(channels.updateChannel, channelReads)
  const toast = useToast()
  const form = useEditForm<ChannelFields>({
    values: fieldsOf(channel),
    problemsOf: (typed) => channelProblems(typed, false),
    call: save,
    fields: serverFields,
  })
  const handleSubmit = ({ name, target, isEnabled, isEscalation, version }: ChannelFields) => {
    const moved = target.trim() === '' ? {} : { target: target.trim() }
    const body = { version, name: name.trim(), ...moved, is_enabled: isEnabled, is_escalation: isEscalation }
    save.mutate(
      { params: { id: channel.id }, body },
      {
        onSuccess: () => {
          toast.success(`Saved channel: ${name.trim()}`)
          onClose()
        },
      },
    )
  }
  return (
    <EditFormDialog
      title={`Edit channel: ${channel.name}`}
      submitLabel="Save channel"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <SwitchInput form={form} name="isEnabled" label="Enabled" />
      <TextInput form={form} name="name" label="Name" inputProps={{ maxLength: 80 }} />
      {channel.kind === 'push' ? null : (
        <TextInput
          form={form}
          name="target"
          label={channel.kind === 'mail' ? 'New mail addresses' : 'New address'}
          help={`Now ${channel.target}. Leave empty to keep the address.`}
        />
      )}
      <SwitchInput
        form={form}
        name="isEscalation"
        label="Escalation channel"
        help="Also gets messages that other channels could not deliver. One channel only."
      />
    </EditFormDialog>
  )
}
