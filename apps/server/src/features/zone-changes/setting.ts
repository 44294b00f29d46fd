import { zoneSettings } from '@agency/contract'
import type { ZoneSettingName } from '@agency/contract/types'

/** A setting of a domain with one of its values: as it was shown, as it is wanted, or as it stands. */
export type SettingState = { setting: ZoneSettingName; value: string }

const titles: Record<ZoneSettingName, string> = {
  paused: 'Cloudflare status',
  ssl: 'SSL mode',
  always_use_https: 'HTTPS redirect',
  min_tls_version: 'minimum TLS version',
}

/** `the SSL mode of harbour.example` */
export const settingTitle = (setting: ZoneSettingName, zone: string): string => `the ${titles[setting]} of ${zone}`

/** Cloudflare has values that only its own dashboard sets; undo cannot put them back. */
export const isSettable = ({ setting, value }: SettingState): boolean =>
  (zoneSettings.zoneSettingValues[setting] as readonly string[]).includes(value)
