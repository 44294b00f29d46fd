import * as settings from '@agency/contract/descriptors/settings'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SubTabLinks } from '../../ui/SubTabLinks.tsx'
import { SystemScreenTabs } from '../../ui/SystemScreenTabs.tsx'
import { OutboxTab } from './OutboxTab.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { configSearch } from './settings-search.ts'

const tabs = [
  { href: paths.config, label: 'Settings' },
  { href: paths.outbox, label: 'Outbox' },
]

export function ConfigPage() {
  const { state } = useSearchState(configSearch)
  const denial = useDenial(settings.listSettings)
  const outbox = state.tab === 'outbox'
  return (
    <>
      <PageHeader title="System Configuration" summary="Settings (some are fixed by the server)" />
      <SystemScreenTabs current={paths.config} />
      {denial ? (
        <EmptyState title="You may not see the configuration" text={denial} />
      ) : (
        <>
          <SubTabLinks label="System Config" tabs={tabs} current={outbox ? paths.outbox : paths.config} />
          {outbox ? <OutboxTab /> : <SettingsTab />}
        </>
      )}
    </>
  )
}
