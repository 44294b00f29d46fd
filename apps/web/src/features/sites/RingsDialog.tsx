import * as deploymentRings from '@agency/contract/descriptors/deployment-rings'
import * as deployments from '@agency/contract/descriptors/deployments'
import * as siteCalls from '@agency/contract/descriptors/sites'
import type { Site } from '@agency/contract/types'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { paths } from '../../lib/paths.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'

type RingFields = { rings: string; wait: string; reason: string }
type Props = { sites: readonly Site[]; onStarted: () => void; onClose: () => void }

const reads = [deploymentRings.listRingRollouts, deployments.listDeployments, siteCalls.listSites]
const start: RingFields = { rings: '10, 25, 50, 100', wait: '5', reason: '' }
const longestWait = 24 * 60

const ringsOf = (text: string): number[] =>
  text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number)

const areRings = (rings: readonly number[]): boolean =>
  rings.length <= 10 &&
  rings.at(-1) === 100 &&
  rings.every((ring, index) => Number.isInteger(ring) && ring > (rings[index - 1] ?? 0))

const problemsOf = ({ rings, wait }: RingFields) => ({
  rings: areRings(ringsOf(rings)) ? undefined : 'Enter growing percentages that end with 100',
  wait: /^\d{1,4}$/.test(wait.trim()) && Number(wait) <= longestWait ? undefined : 'Enter minutes, a day at most',
})

const countText = (count: number): string => `${count} ${count === 1 ? 'site' : 'sites'}`

export function RingsDialog({ sites, onStarted, onClose }: Props) {
  const call = useCall(deploymentRings.startRingRollout, reads, { isOneIntent: true })
  const toast = useToast()
  const form = useEditForm<RingFields>({
    ...{ values: start, problemsOf, call, fields: { wait_minutes: 'wait', site_ids: 'rings' } },
  })
  const handleSubmit = ({ rings, wait, reason }: RingFields) =>
    call.mutate(
      {
        body: {
          ...{ site_ids: sites.map(({ id }) => id), rings: ringsOf(rings), wait_minutes: Number(wait) },
          reason: reason.trim() === '' ? null : reason.trim(),
        },
      },
      {
        onSuccess: () => {
          toast.success(`Redeploying ${countText(sites.length)} in rings`, { label: 'Follow', href: paths.deployments })
          onClose()
          onStarted()
        },
      },
    )
  return (
    <EditFormDialog
      title={`Redeploy ${countText(sites.length)} in rings`}
      intro="Sites whose customers pay the least come first. Each further ring waits until the one before is deployed and its checks are green."
      submitLabel={`Redeploy ${countText(sites.length)}`}
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        form={form}
        name="rings"
        label="Rings"
        help="Percent of the sites that are deployed by then"
        autoFocus
      />
      <TextInput form={form} name="wait" label="Minutes between rings" inputMode="numeric" />
      <TextInput form={form} name="reason" label="Reason" help="Optional" inputProps={{ maxLength: 500 }} />
    </EditFormDialog>
  )
}
