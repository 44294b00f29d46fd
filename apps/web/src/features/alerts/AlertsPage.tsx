import { useSearchState } from '../../lib/use-search-state.ts'
import { AlertsTab } from './AlertsTab.tsx'
import { tabSearch } from './alerts-search.ts'
import { ChannelsTab } from './ChannelsTab.tsx'
import { MaintenanceTab } from './MaintenanceTab.tsx'
import { RulesTab } from './RulesTab.tsx'
import { StatusTab } from './status/StatusTab.tsx'

const contents = {
  alerts: AlertsTab,
  rules: RulesTab,
  maintenance: MaintenanceTab,
  channels: ChannelsTab,
  status: StatusTab,
}

export function AlertsPage() {
  const { state } = useSearchState(tabSearch)
  const Content = contents[state.tab]
  return <Content />
}
