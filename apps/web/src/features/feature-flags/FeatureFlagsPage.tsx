import { paths } from '../../lib/paths.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SystemScreenTabs } from '../../ui/SystemScreenTabs.tsx'
import { FeatureFlagsTab } from './FeatureFlagsTab.tsx'

export function FeatureFlagsPage() {
  return (
    <>
      <PageHeader title="System Configuration" summary="What sites show to whom" />
      <SystemScreenTabs current={paths.features} />
      <FeatureFlagsTab />
    </>
  )
}
