import * as zoneSettings from '@agency/contract/descriptors/zone-settings'
import type { ZoneSetting, ZoneSettingName } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { q } from '../../../lib/api.ts'
import { useDenial } from '../../../lib/session.ts'
import { Age } from '../../../ui/Age.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { SectionError } from '../../../ui/SectionError.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { LastChange, useUndoChange } from '../LastChange.tsx'
import css from '../records/records.module.css'
import { settingLabel, valueLabel } from './setting-words.ts'

const ChangeDialog = lazy(() => import('./ChangeSettingDialog.tsx').then((m) => ({ default: m.ChangeSettingDialog })))

const isKnown = (setting: ZoneSetting | undefined): setting is ZoneSetting & { value: string } =>
  setting !== undefined && setting.value !== null

export function ZoneSettingsTab({ id }: { id: string }) {
  const [changing, setChanging] = useState<ZoneSettingName>()
  const undoing = useUndoChange(id)
  const read = useQuery(q(zoneSettings.listZoneSettings, { params: { id } }))
  if (!read.data && read.error) return <SectionError error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <SkeletonLines count={5} />
  const { settings, fetched_at, last_change } = read.data
  const setting = settings.find(({ name }) => name === changing)
  return (
    <>
      <ListFailure error={read.error} what="the settings" at={read.dataUpdatedAt} onRetry={() => void read.refetch()} />
      <div className={css['head']}>
        <p className={css['count']}>Settings at Cloudflare {settings.some(isKnown) ? <Age at={fetched_at} /> : null}</p>
      </div>
      {last_change ? <LastChange change={last_change} undoing={undoing} /> : null}
      <div className={css['scroll']}>
        <table className={css['records']} aria-label="Settings at Cloudflare">
          <tbody>
            {settings.map((each) => (
              <SettingRow key={each.name} setting={each} onChange={() => setChanging(each.name)} />
            ))}
          </tbody>
        </table>
      </div>
      <Suspense>
        {isKnown(setting) ? (
          <ChangeDialog
            zoneId={id}
            setting={setting}
            sites={read.data}
            onConflict={() => void read.refetch()}
            onDone={undoing.handleDone}
            onClose={() => setChanging(undefined)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

function SettingRow({ setting, onChange }: { setting: ZoneSetting; onChange: () => void }) {
  const denial = useDenial(zoneSettings.changeZoneSetting)
  const { name, value, problem } = setting
  const label = settingLabel(name)
  return (
    <tr>
      <th scope="row">{label}</th>
      <td className={css['value']}>
        {value === null ? <span className={css['muted']}>{problem}</span> : valueLabel(name, value)}
      </td>
      <td className={css['menu']}>
        <ReasonedButton
          size="small"
          aria-label={`Change ${label}`}
          aria-haspopup="dialog"
          blocked={denial ?? (value === null ? 'Unknown value' : undefined)}
          onClick={onChange}
        >
          Change
        </ReasonedButton>
      </td>
    </tr>
  )
}
