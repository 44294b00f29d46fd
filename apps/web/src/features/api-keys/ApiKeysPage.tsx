import { paths } from '../../lib/paths.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SystemScreenTabs } from '../../ui/SystemScreenTabs.tsx'
import { ApiKeysTab } from './ApiKeysTab.tsx'

export function ApiKeysPage() {
  return (
    <>
      <PageHeader title="System Configuration" summary="Keys that let scripts and services call the API" />
      <SystemScreenTabs current={paths.apiKeys} />
      <ApiKeysTab />
    </>
  )
}
