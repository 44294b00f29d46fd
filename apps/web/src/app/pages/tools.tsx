import { useSearchParams } from 'react-router'
import { ApiKeysTab } from '../../features/api-keys/ApiKeysTab.tsx'
import { apiKeysList } from '../../features/api-keys/api-key-search.ts'
import { FeatureFlagsTab } from '../../features/feature-flags/FeatureFlagsTab.tsx'
import { flagsList } from '../../features/feature-flags/flags-list.ts'
import { SqlConsolePage } from '../../features/sql-console/SqlConsolePage.tsx'
import { queriesFor } from '../../features/sql-console/sql-search.ts'
import { paths } from '../../lib/paths.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ToolScreenTabs } from '../../ui/ToolScreenTabs.tsx'
import type { PageModule } from '../page.tsx'

/** The index of the tools: the tabs that have no path of their own, else the first one. */
function ToolsPage() {
  const [params] = useSearchParams()
  switch (params.get('tab')) {
    case 'features':
      return (
        <>
          <PageHeader title="Admin Tools" summary="What sites show to whom" />
          <ToolScreenTabs current={paths.toolFeatures} />
          <FeatureFlagsTab />
        </>
      )
    case 'api-keys':
      return (
        <>
          <PageHeader title="Admin Tools" summary="Keys that let scripts and services call the API" />
          <ToolScreenTabs current={paths.toolApiKeys} />
          <ApiKeysTab />
        </>
      )
    default:
      return <SqlConsolePage />
  }
}

const lists: Readonly<Record<string, Pick<PageModule, 'queriesFor'>>> = { features: flagsList, 'api-keys': apiKeysList }

export const toolsPage: PageModule = {
  Page: ToolsPage,
  queriesFor: (params, pathname) =>
    (lists[params.get('tab') ?? ''] ?? { queriesFor }).queriesFor?.(params, pathname) ?? [],
}
