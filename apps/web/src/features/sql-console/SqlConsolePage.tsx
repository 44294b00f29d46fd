import { paths } from '../../lib/paths.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ToolScreenTabs } from '../../ui/ToolScreenTabs.tsx'
import { SqlConsoleTab } from './SqlConsoleTab.tsx'

export function SqlConsolePage() {
  return (
    <>
      <PageHeader title="Admin Tools" summary="Read-only SQL: one SELECT, up to 1,000 rows and 30 seconds" />
      <ToolScreenTabs current={paths.database} />
      <SqlConsoleTab />
    </>
  )
}
