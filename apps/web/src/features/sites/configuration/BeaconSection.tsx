import * as beacons from '@agency/contract/descriptors/beacons'
import type { Site, SiteBeacon } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import type { ApiError } from '../../../lib/problems.ts'
import { useCall } from '../../../lib/use-call.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from './configuration.module.css'

type Props = { site: Pick<Site, 'id' | 'site_name'> }

/** The counting of a site's own visits, which each site opts in to. */
export function BeaconSection({ site }: Props) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(q(beacons.getSiteBeacon, { params: { id: site.id } }))
  const beacon = data?.beacon
  return (
    <section className={css['section']} aria-label="Beacon">
      <h3 className={css['heading']}>Beacon</h3>
      <p className={css['hint']}>
        A tiny script that counts visits, page views and goals. Stores no cookies, addresses or page names, and respects
        Do Not Track.
      </p>
      <ListFailure
        error={error as ApiError | null}
        what="the beacon"
        at={beacon ? dataUpdatedAt : null}
        onRetry={() => void refetch()}
      />
      {beacon ? <Beacon site={site} beacon={beacon} /> : error ? null : <SkeletonLines count={3} />}
    </section>
  )
}

function Beacon({ site, beacon }: Props & { beacon: SiteBeacon }) {
  const { is_on: isOn, version } = beacon
  const change = useCall(beacons.updateSiteBeacon, [beacons.getSiteBeacon])
  const handleSwitch = () =>
    change.mutate(
      { params: { id: site.id }, body: { is_on: !isOn, version } },
      {
        success: `Switched the beacon of ${site.site_name} ${isOn ? 'off' : 'on'}`,
        failure: 'The beacon was not changed',
      },
    )
  return (
    <>
      <Facts facts={factsOf(beacon)} />
      {isOn ? <Tag beacon={beacon} /> : null}
      <div className={css['buttons']}>
        <ReasonedButton
          variant="outlined"
          blocked={change.denial}
          loading={change.isPending ? 'Saving' : false}
          onClick={handleSwitch}
        >
          {isOn ? 'Switch beacon off' : 'Switch beacon on'}
        </ReasonedButton>
      </div>
    </>
  )
}

function factsOf({ is_on: isOn, heard_from, heard_at, visits, page_views, goals }: SiteBeacon) {
  const state = isOn
    ? heard_from === null
      ? ({ tone: 'warning', label: 'On, no data yet' } as const)
      : ({ tone: 'success', label: 'On' } as const)
    : ({ tone: 'neutral', label: 'Off' } as const)
  const counted = (value: number | null) => (value === null ? 'None counted' : formatCount(value))
  return [
    { label: 'State', value: <StatusChip {...state} /> },
    { label: 'Last data', value: heard_at ? <DateTime at={heard_at} show="relative" /> : 'Never' },
    { label: 'Visits, last 30 days', value: counted(visits) },
    { label: 'Page views, last 30 days', value: counted(page_views) },
    ...(goals.length === 0
      ? []
      : [
          {
            label: 'Goals, last 30 days',
            value: goals.map(({ goal, hits }) => `${goal}: ${formatCount(hits)}`).join(', '),
            wide: true,
          },
        ]),
  ]
}

/** What the pages of the site take in. */
function Tag({ beacon: { tag, hosts } }: { beacon: SiteBeacon }) {
  if (tag === null) {
    return (
      <p className={css['hint']}>
        Set “Address of this console” first, under <a href={paths.config}>System Config</a>: pages load the script from
        there.
      </p>
    )
  }
  return (
    <>
      <p className={css['hint']}>
        Put this into the pages of {hosts.join(', ')}. Elements with <code>data-goal="signup"</code> count a goal when
        clicked; scripts call <code>beaconGoal('signup')</code>.
      </p>
      <p className={css['tag']}>
        <code>{tag}</code>
        <CopyButton text={tag} label="Copy script tag" />
      </p>
    </>
  )
}
