import type * as alerts from '@agency/contract/descriptors/alerts'
import type { Input } from '../../lib/api.ts'
import type { Problems } from '../../lib/form/use-edit-form.ts'
import { formatCount } from '../../lib/format.ts'
import { fieldToMoment, momentToField } from '../../lib/format-time.ts'

const hourMs = 3_600_000
const quarterMs = hourMs / 4
const mostSites = 1000
const longestDays = 30

type ChosenSite = { id: string; name: string }

/** As they are typed. */
export type MaintenanceFields = {
  title: string
  from: string
  until: string
  reach: 'all' | 'some'
  sites: ChosenSite[]
  silences: boolean
  excludesUptime: boolean
}

/** An hour from the next quarter on. */
export function firstFields(now: number): MaintenanceFields {
  const from = Math.ceil(now / quarterMs) * quarterMs
  return {
    title: '',
    from: momentToField(from),
    until: momentToField(from + hourMs),
    reach: 'all',
    sites: [],
    silences: true,
    excludesUptime: true,
  }
}

export function maintenanceProblems(fields: MaintenanceFields, now: number): Problems<MaintenanceFields> {
  const title = fields.title.trim()
  return {
    title: title === '' ? 'Enter a title' : title.length > 120 ? 'A title has 120 characters at most' : undefined,
    from: fieldToMoment(fields.from) ? undefined : 'Choose a time',
    until: endProblem(fields, now),
    sites: sitesProblem(fields),
  }
}

function endProblem(fields: MaintenanceFields, now: number): string | undefined {
  const from = fieldToMoment(fields.from)
  const until = fieldToMoment(fields.until)
  if (!until) return 'Choose a time'
  if (from && until <= from) return 'The end must be after the start'
  if (from && until.getTime() - from.getTime() > longestDays * 24 * hourMs)
    return `Maintenance takes ${longestDays} days at most`
  return until.getTime() <= now ? 'The end must be in the future' : undefined
}

function sitesProblem({ reach, sites }: MaintenanceFields): string | undefined {
  if (reach === 'all') return undefined
  if (sites.length === 0) return 'Choose at least one site'
  return sites.length > mostSites ? `Choose ${formatCount(mostSites)} sites at most` : undefined
}

/** null while there is no start or end. */
export function bodyOf(fields: MaintenanceFields): Input<typeof alerts.createMaintenance>['body'] | null {
  const from = fieldToMoment(fields.from)
  const until = fieldToMoment(fields.until)
  if (!from || !until) return null
  return {
    title: fields.title.trim(),
    starts_at: from.toISOString(),
    ends_at: until.toISOString(),
    site_ids: fields.reach === 'all' ? [] : fields.sites.map(({ id }) => id),
    silences: fields.silences,
    excludes_uptime: fields.excludesUptime,
  }
}
