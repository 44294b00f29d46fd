import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import { keepSetting } from '../../domains/index.ts'
import type { Change } from '../queries/changes.ts'
import { type SettingState, settingTitle } from '../setting.ts'
import type { Deed, Way } from './way.ts'

export const setting = (zone: string, shown: SettingState, wanted: SettingState): Deed => ({
  ...{ kind: 'set', subject: `setting ${wanted.setting}`, what: settingTitle(wanted.setting, zone) },
  ...{ record_id: null, shown, wanted },
})

const stateOf = (state: unknown): SettingState => state as SettingState
const wantedOf = ({ wanted }: Change): SettingState => stateOf(wanted)

export const settingWay: Way = {
  noun: 'setting',
  async look(gateway, change) {
    const { setting: name, value } = wantedOf(change)
    const now = { setting: name, value: await gateway.getSetting(change.zone_id, name) }
    if (now.value === value) return { is: 'wanted', now }
    return { is: now.value === stateOf(change.shown).value ? 'before' : 'other', now }
  },
  async send(gateway, change) {
    const { setting: name, value } = wantedOf(change)
    const stands = await gateway.changeSetting(change.zone_id, name, value)
    if (stands !== value)
      throw new CloudflareError('bad_answer', 'Cloudflare answered with a setting that does not show the change')
    return { setting: name, value: stands }
  },
  conflictOf: ({ shown }, now) => ({
    problem: `Someone else changed this setting. You saw: ${stateOf(shown).value}. Now: ${stateOf(now).value}.`,
    parameter: 'shown',
  }),
  rightOf: (change, to) => (wantedOf(change).setting === 'paused' ? `Zone:${to}` : `Zone Settings:${to}`),
  fieldOf: () => 'value',
  actionOf: ({ undoes }) => (undoes === null ? 'domain.change_setting' : 'domain.undo_setting'),
  sidesOf: ({ before, after, shown, wanted }) => ({
    was: (before ?? shown) as object,
    becomes: (after ?? wanted) as object,
  }),
  keep: (tx, change, after) => keepSetting(tx, change.zone_id, stateOf(after)),
}
