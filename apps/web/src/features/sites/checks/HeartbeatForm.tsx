import * as heartbeats from '@agency/contract/descriptors/heartbeats'
import type { Site, SiteHeartbeat } from '@agency/contract/types'
import { useWatch } from 'react-hook-form'
import { useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useCall } from '../../../lib/use-call.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { SelectInput } from '../../../ui/form/SelectInput.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import css from './checks.module.css'
import {
  type HeartbeatFields,
  heartbeatChanges,
  heartbeatFields,
  heartbeatNames,
  heartbeatProblems,
} from './heartbeat-fields.ts'

type Props = { site: Pick<Site, 'id' | 'site_name'>; heartbeat: SiteHeartbeat }

const states = [
  { value: 'degraded', label: 'Degraded' },
  { value: 'down', label: 'Down' },
]

export function HeartbeatForm({ site, heartbeat }: Props) {
  const save = useCall(heartbeats.updateSiteHeartbeat, [heartbeats.getSiteHeartbeat])
  const { denial } = save
  const edited = useEditForm<HeartbeatFields>({
    values: heartbeatFields(heartbeat),
    follows: true,
    problemsOf: heartbeatProblems,
    call: save,
    fields: heartbeatNames,
  })
  const form = { ...edited, isPending: edited.isPending || denial !== undefined }
  const fields = useWatch({ control: form.control }) as HeartbeatFields
  const handleSave = (typed: HeartbeatFields, before: HeartbeatFields) => {
    const changes = heartbeatChanges(typed, before)
    if (!changes) return
    save.mutate(
      { params: { id: site.id }, body: { version: heartbeat.version, ...changes } },
      { success: `Saved the heartbeat of ${site.site_name}`, onSuccess: edited.discard },
    )
  }
  return (
    <>
      <div className={css['fields']}>
        <TextInput form={form} name="every" label="Expected every, in minutes" inputMode="numeric" />
        <TextInput form={form} name="grace" label="Grace in minutes" inputMode="numeric" />
        <SelectInput form={form} name="whenMissing" label="When missing, the site is" choices={states} />
      </div>
      {form.refusal ? (
        <ErrorPanel error={form.refusal}>
          {form.refusal.code === 'conflict'
            ? 'Someone else changed this heartbeat. Your entries are kept: review and save again.'
            : 'Not saved. Your entries are kept.'}
        </ErrorPanel>
      ) : null}
      {heartbeatChanges(fields, form.before) ? (
        <div className={css['buttons']}>
          <span className={css['gap']} />
          <Button disabled={save.isPending} onClick={form.discard}>
            Discard
          </Button>
          <ReasonedButton
            variant="contained"
            blocked={denial}
            loading={save.isPending ? 'Saving' : false}
            onClick={() => edited.submit(handleSave)}
          >
            Save heartbeat
          </ReasonedButton>
        </div>
      ) : null}
    </>
  )
}
