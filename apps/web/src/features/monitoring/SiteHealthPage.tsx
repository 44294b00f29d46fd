import type { MonitoredSite } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { healthChips } from '../../lib/site-status.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { MonitoringTabs } from './MonitoringTabs.tsx'
import css from './monitoring.module.css'
import { accounting } from './monitoring-words.ts'
import { siteHealthColumns } from './site-health-columns.tsx'
import { healthChoices, siteHealthChips, siteHealthList, sortChoices } from './site-health-list.ts'

const pollMs = 60_000
const nameOf = (site: MonitoredSite) => site.site_name
const hrefOf = (site: MonitoredSite) => paths.site(site.id)
const unit = ['site', 'sites'] as const
const healths = ['healthy', 'degraded', 'down', 'unknown'] as const

export function SiteHealthPage() {
  const screen = useListScreen(siteHealthList)
  const { state, answer, denial } = screen
  usePoll(() => void screen.query.refetch(), denial ? null : pollMs)
  return (
    <>
      <PageHeader
        title="Site Health"
        summary={
          denial
            ? undefined
            : answer
              ? healths
                  .map((health) => `${formatCount(answer.counts[health])} ${healthChips[health].label.toLowerCase()}`)
                  .join(' · ')
              : ''
        }
      />
      <MonitoringTabs current={paths.monitoringSites} />
      <ListScreen
        screen={screen}
        label="Site health"
        unit={unit}
        columns={siteHealthColumns}
        nameOf={nameOf}
        hrefOf={hrefOf}
        toolbar={
          <>
            <ListSearch screen={screen} label="Search site, domain or customer" />
            <ListSelect screen={screen} field="health" label="Health" choices={healthChoices} />
            <ListSelect screen={screen} field="sort" label="Sort by" choices={sortChoices} />
          </>
        }
        chips={siteHealthChips(state)}
        above={<p className={css['accounting']}>{accounting}</p>}
        empty={<NoSites />}
      />
    </>
  )
}

function NoSites() {
  return (
    <EmptyState
      title="No sites yet"
      text="Sites are checked as soon as you add them."
      action={
        <Button variant="outlined" href={paths.sites}>
          Add a site
        </Button>
      }
    />
  )
}
