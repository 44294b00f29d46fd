import * as settings from '@agency/contract/descriptors/settings'
import type { Setting } from '@agency/contract/types'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { q, type ResponseOf } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './settings.module.css'
import { valueWords } from './settings-words.ts'
import { takeOver } from './take-over.ts'

type Version = ResponseOf<typeof settings.getSettingHistory>['versions'][number]
type Props = { setting: Setting; onReverted: () => void; onClose: () => void }

export function HistoryDrawer({ setting, onReverted, onClose }: Props) {
  const history = useQuery({
    ...q(settings.getSettingHistory, { params: { id: setting.key } }),
    staleTime: 0,
  })
  const title = useId()
  const versions = history.data?.versions
  return (
    <Drawer open anchor="right" onClose={onClose} slotProps={{ paper: { role: 'dialog', 'aria-labelledby': title } }}>
      <div className={css['drawer']}>
        <header className={css['drawerHead']}>
          <h2 id={title}>History of {setting.label}</h2>
          <IconButton label="Close" onClick={onClose}>
            <Icon name="close" size={24} />
          </IconButton>
        </header>
        <ListFailure
          error={history.error}
          what="the history"
          at={versions ? history.dataUpdatedAt : null}
          onRetry={() => void history.refetch()}
        />
        {history.isPending ? <SkeletonLines count={4} height={56} /> : null}
        {versions?.length === 0 ? <EmptyState text="No changes yet." compact /> : null}
        <ol className={css['versions']}>
          {versions?.map((version) => (
            <VersionLine key={version.version} setting={setting} version={version} onReverted={onReverted} />
          ))}
        </ol>
      </div>
    </Drawer>
  )
}

type LineProps = { setting: Setting; version: Version; onReverted: () => void }

function VersionLine({ setting, version, onReverted }: LineProps) {
  const client = useQueryClient()
  const revert = useCall(settings.revertSetting)
  const toast = useToast()
  const current = version.version === setting.version
  const words = version.is_secret ? (version.is_set ? 'Set' : 'Removed') : versionWords(setting, version)
  const blocked = setting.source === 'environment' ? `Fixed by the server (${setting.env})` : undefined
  const handleRevert = () =>
    revert.mutate(
      { params: { id: setting.key }, body: { version: version.version } },
      {
        onSuccess: (answer) => {
          takeOver(client, answer, [setting])
          onReverted()
          toast.success(`Reverted ${setting.label} to version ${version.version}`)
        },
        failure: `${setting.label} was not changed`,
      },
    )
  return (
    <li className={css['version']}>
      <div>
        <p className={css['was']}>
          <bdi>{words}</bdi>
        </p>
        <p className={css['muted']}>
          Version {version.version}, <DateTime at={version.at} show="date-time" />, by <bdi>{version.actor_name}</bdi>
        </p>
      </div>
      {current ? (
        <span className={css['muted']}>Current</span>
      ) : (
        <ReasonedButton
          size="small"
          variant="outlined"
          blocked={blocked}
          loading={revert.isPending}
          aria-label={`Revert to version ${version.version}`}
          onClick={handleRevert}
        >
          Revert
        </ReasonedButton>
      )}
    </li>
  )
}

function versionWords(setting: Setting, { value, is_set }: Version): string {
  return is_set ? valueWords(setting, value) : `${valueWords(setting, setting.default_value)} (default)`
}
