import * as heartbeats from '@agency/contract/descriptors/heartbeats'
import type { Site, SiteHeartbeat } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import type { ApiError } from '../../../lib/problems.ts'
import { useCall } from '../../../lib/use-call.ts'
import { usePoll } from '../../../lib/use-poll.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { KeyOnceDialog } from '../../../ui/KeyOnceDialog.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from './checks.module.css'
import { HeartbeatForm } from './HeartbeatForm.tsx'
import { heartbeatChips } from './heartbeat-fields.ts'

type Props = { site: Pick<Site, 'id' | 'site_name'> }

const pollMs = 30_000

export function HeartbeatSection({ site }: Props) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(q(heartbeats.getSiteHeartbeat, { params: { id: site.id } }))
  usePoll(() => void refetch(), pollMs)
  const heartbeat = data?.heartbeat
  return (
    <section className={css['section']}>
      <h3 className={css['heading']}>Heartbeat</h3>
      <p className={css['hint']}>A call from your host, for example after a backup or scheduled job.</p>
      <ListFailure
        error={error as ApiError | null}
        what="the heartbeat"
        at={heartbeat ? dataUpdatedAt : null}
        onRetry={() => void refetch()}
      />
      {heartbeat ? <Heartbeat site={site} heartbeat={heartbeat} /> : error ? null : <SkeletonLines count={3} />}
    </section>
  )
}

function Heartbeat({ site, heartbeat }: Props & { heartbeat: SiteHeartbeat }) {
  const { state, last_at, due_at, has_address } = heartbeat
  return (
    <>
      <Facts
        facts={[
          { label: 'State', value: <StatusChip {...heartbeatChips[state]} /> },
          { label: 'Last call', value: last_at ? <DateTime at={last_at} show="relative" /> : 'None yet' },
          ...(due_at ? [{ label: 'Missing from', value: <DateTime at={due_at} show="date-time" /> }] : []),
        ]}
      />
      {has_address ? <HeartbeatForm site={site} heartbeat={heartbeat} /> : null}
      <Actions site={site} heartbeat={heartbeat} />
    </>
  )
}

function Actions({ site, heartbeat }: Props & { heartbeat: SiteHeartbeat }) {
  const params = { id: site.id }
  const rotate = useCall(heartbeats.rotateSiteHeartbeat, [heartbeats.getSiteHeartbeat])
  const change = useCall(heartbeats.updateSiteHeartbeat, [heartbeats.getSiteHeartbeat])
  const { is_on, has_address, version } = heartbeat
  const handleSwitch = () =>
    change.mutate(
      { params, body: { version, is_on: !is_on } },
      {
        success: `Switched the heartbeat of ${site.site_name} ${is_on ? 'off' : 'on'}`,
        failure: 'The heartbeat was not changed',
      },
    )
  return (
    <div className={css['buttons']}>
      <ReasonedButton
        variant="outlined"
        blocked={rotate.denial}
        loading={rotate.isPending ? 'Creating' : false}
        onClick={() => rotate.mutate({ params, body: {} })}
      >
        {has_address ? 'Rotate address' : 'Create address'}
      </ReasonedButton>
      {has_address ? (
        <ReasonedButton blocked={change.denial} loading={change.isPending ? 'Saving' : false} onClick={handleSwitch}>
          {is_on ? 'Switch off' : 'Switch on'}
        </ReasonedButton>
      ) : null}
      {rotate.error ? (
        <ErrorPanel error={rotate.error} onClose={rotate.reset}>
          No address was created.
        </ErrorPanel>
      ) : null}
      {rotate.data ? (
        <KeyOnceDialog
          title="Heartbeat address"
          secret={new URL(rotate.data.address, location.origin).href}
          onClose={rotate.reset}
        >
          Call this address with GET or POST from the host of {site.site_name}. Earlier addresses no longer work.
        </KeyOnceDialog>
      ) : null}
    </div>
  )
}
