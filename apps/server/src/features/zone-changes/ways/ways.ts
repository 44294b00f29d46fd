import type { Change } from '../queries/changes.ts'
import { recordWay } from './records.ts'
import { settingWay } from './settings.ts'
import type { Way } from './way.ts'
import { zoneWay } from './zones.ts'

const ways: Record<string, Way> = { set: settingWay, add_zone: zoneWay }

export const wayOf = ({ kind }: Pick<Change, 'kind'>): Way => ways[kind] ?? recordWay
