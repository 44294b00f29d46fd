import * as domains from '@agency/contract/descriptors/domains'
import * as zones from '@agency/contract/descriptors/zones'
import type { AddedZone } from '@agency/contract/types'
import { useState } from 'react'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { OutcomeDialog } from '../../ui/OutcomeDialog.tsx'
import { NameServerList } from './NameServerList.tsx'

export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<AddedZone>()
  const add = useCall(zones.addZone, [domains.listDomains], { isOneIntent: true })
  const form = useEditForm({
    values: { name: '' },
    problemsOf: ({ name }) => (name.trim() === '' ? { name: 'Enter a domain' } : {}),
    call: add,
  })
  if (added) return <AddedDialog zone={added} onClose={onClose} />
  return (
    <EditFormDialog
      form={form}
      title="Add domain"
      intro="Cloudflare adds it without DNS records. Add them before you change the name servers at the registrar."
      submitLabel="Add domain"
      onSubmit={({ name }) => add.mutate({ body: { name } }, { onSuccess: ({ zone }) => setAdded(zone) })}
      onClose={onClose}
    >
      <TextInput form={form} name="name" label="Domain" help="Without www, such as harbour.example" autoFocus />
    </EditFormDialog>
  )
}

function AddedDialog({ zone, onClose }: { zone: AddedZone; onClose: () => void }) {
  return (
    <OutcomeDialog title={`Added ${zone.name}`} tone="success" onClose={onClose}>
      <p>Enter these name servers at the registrar. The domain is active once Cloudflare finds them there.</p>
      <NameServerList servers={zone.name_servers} />
    </OutcomeDialog>
  )
}
