import type { DeploymentDetails, ServedBuild } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { isOpenDeployment } from '../../lib/deployment-status.ts'
import type { Tone } from '../../theme/palette.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import css from './deployments.module.css'

/** What has to be known of it first: why it waits, why it failed, which build is served. */
export function DeploymentNotices({ deployment }: { deployment: DeploymentDetails }) {
  const { status, position, waiting_for, failure, cancel_requested_at, served, environment_note } = deployment
  const isOpen = isOpenDeployment(status)
  return (
    <>
      {status === 'queued' ? (
        <Notice tone="neutral">
          <p>{position === null ? 'Waiting in the queue.' : `Position ${position} in the queue.`}</p>
          {waiting_for ? <p>{waiting_for}</p> : null}
        </Notice>
      ) : waiting_for ? (
        <Notice tone="neutral">
          <p>{waiting_for}</p>
        </Notice>
      ) : null}
      {isOpen && cancel_requested_at ? (
        <Notice tone="warning">
          <p>
            Cancelled at <DateTime at={cancel_requested_at} show="time" />. Stopping now.
          </p>
        </Notice>
      ) : null}
      {failure ? (
        <Notice tone={status === 'failed' ? 'error' : 'neutral'}>
          <p>
            <bdi>{failure}</bdi>
          </p>
        </Notice>
      ) : null}
      {served ? <Served served={served} /> : null}
      {environment_note ? (
        <Notice tone="neutral">
          <p>{environment_note}</p>
        </Notice>
      ) : null}
    </>
  )
}

function Served({ served }: { served: ServedBuild }) {
  const { matches, build_id, expected, detail, checked_at, source } = served
  const tone = matches === null ? 'warning' : matches ? 'success' : 'error'
  return (
    <Notice tone={tone}>
      <p>
        <strong>{servedText({ matches, build_id, expected })}</strong>
      </p>
      <p className={css['small']}>
        <bdi>{detail}</bdi> Checked <DateTime at={checked_at} show="date-time" />
        {source === 'response' ? ' on the site itself.' : null}
        {source === 'provider' ? ' at Cloudflare.' : null}
      </p>
    </Notice>
  )
}

function servedText({ matches, build_id, expected }: Pick<ServedBuild, 'matches' | 'build_id' | 'expected'>): string {
  if (matches === null) return 'The live build is unknown.'
  if (matches) return `Build ${build_id ?? expected} is live.`
  return `Build ${build_id ?? 'another one'} is live, not ${expected ?? 'the expected one'}.`
}

function Notice({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <div className={css['notice']} data-tone={tone} role="status">
      {children}
    </div>
  )
}
