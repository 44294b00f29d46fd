import type { BaseCloudflare } from 'cloudflare/client'
import { BaseSettings } from 'cloudflare/resources/zones/settings'
import { BaseZones } from 'cloudflare/resources/zones/zones'
import { checked } from './answers.ts'
import type { CloudflareGateway } from './gateway.ts'
import { zoneSetting, zoneState } from './zone-answers.ts'

const onOff = ({ paused }: { paused: boolean }): string => (paused ? 'on' : 'off')

export function zoneSettingCalls(client: BaseCloudflare) {
  const zones = new BaseZones(client)
  const settings = new BaseSettings(client)
  return {
    async getSetting(zone_id, name) {
      if (name === 'paused') return onOff(await checked('the domain', zoneState, zones.get({ zone_id })))
      return (await checked(`the setting ${name}`, zoneSetting, settings.get(name, { zone_id }))).value
    },
    async changeSetting(zone_id, name, value) {
      if (name === 'paused')
        return onOff(await checked('the domain', zoneState, zones.edit({ zone_id, paused: value === 'on' })))
      return (await checked(`the setting ${name}`, zoneSetting, settings.edit(name, { zone_id, value }))).value
    },
  } satisfies Partial<CloudflareGateway>
}
