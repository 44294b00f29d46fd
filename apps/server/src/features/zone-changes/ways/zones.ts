import type { Zone } from '../../../integrations/cloudflare/zone-answers.ts'
import { keepZone } from '../../domains/index.ts'
import type { Change } from '../queries/changes.ts'
import type { Deed, Way } from './way.ts'

type NewZone = { name: string }

export const zoneAddition = (name: string): Deed => {
  const wanted: NewZone = { name }
  return { kind: 'add_zone', subject: 'the domain', what: name, record_id: null, shown: null, wanted }
}

const nameOf = ({ wanted }: Change): string => (wanted as unknown as NewZone).name
const fields: Record<string, string> = { 1049: 'name', 1061: 'name', 1097: 'name', 1099: 'name', 1105: 'name' }

export const zoneWay: Way = {
  noun: 'domain',
  async look(gateway, change) {
    const now = await gateway.findZoneNamed(nameOf(change))
    return { is: now ? 'wanted' : 'before', now }
  },
  send: (gateway, change) => gateway.createZone(nameOf(change)),
  conflictOf: (change) => ({ problem: `${nameOf(change)} is at Cloudflare already.`, parameter: 'name' }),
  rightOf: (_change, to) => `Zone:${to}`,
  fieldOf: (code) => fields[code],
  actionOf: () => 'domain.add',
  sidesOf({ after, wanted }) {
    if (!after) return { was: undefined, becomes: wanted as object }
    const { name, status, name_servers } = after as unknown as Zone
    return { was: undefined, becomes: { name, status, name_servers } }
  },
  idsOf: (after) => ({ zone_id: (after as Zone).id }),
  keep: (tx, _change, after) => keepZone(tx, after as Zone),
}
