import type { Setting } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { settingsList } from './settings-search.ts'
import { groupLabels, groups } from './settings-words.ts'

const none: readonly Setting[] = []

export function SettingsTab() {
  const list = useQuery(settingsList)
  const settings = list.data?.settings ?? none
  return (
    <>
      <ListFailure
        error={list.error}
        what="the settings"
        at={list.data ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      {list.data ? <SettingsForm settings={settings} publicUrlKnown={list.data.public_url_known} /> : null}
      {list.isPending
        ? groups.slice(0, 3).map((group, at) => (
            <Panel
              key={group}
              title={groupLabels[group]}
              loading
              skeleton={<SkeletonLines count={3} height={64} silent={at > 0} />}
            >
              {null}
            </Panel>
          ))
        : null}
    </>
  )
}
