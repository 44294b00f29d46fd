import type { SiteDetails, SiteSuspension } from '@agency/contract/types'
import { paths } from '../../../lib/paths.ts'
import { siteStatusChips } from '../../../lib/site-status.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import type { SiteAct } from '../site-actions.ts'
import { useSiteDenials } from '../use-site-denials.ts'
import css from './status.module.css'

type Props = { site: SiteDetails; onAct: (act: SiteAct) => void }

/** Why the site is in the state that it is in, where that is not the usual one. */
export function StatusNotices({ site, onAct }: Props) {
  const { write } = useSiteDenials()
  const { suspension } = site
  if (suspension) {
    const canResume = suspension.state !== 'resuming' && !write
    return (
      <div className={css['notice']}>
        <ErrorPanel
          tone={site.at_provider === 'still_served' ? 'error' : 'warning'}
          title={titles[site.at_provider]}
          {...(canResume && { onRetry: () => onAct({ kind: 'resume', site }), retryLabel: 'Resume site' })}
        >
          <SuspensionWords suspension={suspension} />
        </ErrorPanel>
      </div>
    )
  }
  if (!site.status_until) return null
  return (
    <div className={css['notice']}>
      <ErrorPanel tone="info">
        {siteStatusChips[site.status].label} by hand until <DateTime at={site.status_until} show="date-time" />
        {site.status_reason ? (
          <>
            : <bdi>{site.status_reason}</bdi>
          </>
        ) : null}
      </ErrorPanel>
    </div>
  )
}

const titles: Record<SiteDetails['at_provider'], string> = {
  served: 'Suspended',
  suspending: 'Suspended, going offline',
  offline: 'Suspended and offline',
  resuming: 'Going back online',
  still_served: 'Suspended here, but still live',
}

function SuspensionWords({ suspension }: { suspension: SiteSuspension }) {
  const { by, at, reason, customer_id, domains, note, tries, next_try_at } = suspension
  return (
    <>
      By <bdi>{by}</bdi>, <DateTime at={at} show="date-time" />: <bdi>{reason}</bdi>.
      {customer_id ? (
        <>
          {' '}
          Suspended with <a href={paths.customer(customer_id)}>its customer</a>.
        </>
      ) : null}
      {domains.every((name) => note?.includes(name)) ? null : <> Domains detached: {domains.join(', ')}.</>}
      {note ? (
        <>
          {' '}
          <bdi>{note}</bdi>
        </>
      ) : null}
      {next_try_at && tries > 0 ? (
        <>
          {' '}
          Tried {tries === 1 ? 'once' : `${tries} times`}; next try at <DateTime at={next_try_at} show="time" />.
        </>
      ) : null}
    </>
  )
}
