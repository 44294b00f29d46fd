import type { Deployment, DeploymentStatus } from '@agency/contract/types'
import { deploymentStatusChips } from '../../lib/deployment-status.ts'
import { oneOf, type StateOf, text, whole } from '../../lib/search-state.ts'
import type { Choice } from '../../ui/FilterField.tsx'

const statuses = Object.keys(deploymentStatusChips) as DeploymentStatus[]
const views = ['overview', 'log'] as const
export type View = (typeof views)[number]

export const deploymentsSearch = {
  search: text(),
  status: oneOf(['all', ...statuses], 'all'),
  site: text(),
  customer: text(),
  open: text('', { keepsPage: true }),
  view: oneOf(views, 'overview', { keepsPage: true }),
  line: whole(null, { keepsPage: true }),
}
export type DeploymentsSearch = StateOf<typeof deploymentsSearch>

export const noFilters = {
  search: '',
  status: 'all',
  site: '',
  customer: '',
} as const satisfies Partial<DeploymentsSearch>
export const closed = { open: '', view: 'overview', line: null } as const satisfies Partial<DeploymentsSearch>

export const statusChoices: readonly Choice[] = [
  { value: 'all', label: 'All' },
  ...statuses.map((value) => ({ value, label: deploymentStatusChips[value].label })),
]

/** `/admin/deployments?open=…#L120` names a line too. */
export function lineOfHash(hash: string): number | null {
  const number = Number(/^#L([1-9]\d{0,8})$/.exec(hash)?.[1])
  return Number.isInteger(number) ? number : null
}

type FilterChip = { label: string; without: Partial<DeploymentsSearch> }

/** What narrows the list, each with the change that takes it away. The search box shows its own text. */
export function chipsOf(state: DeploymentsSearch, rows: readonly Deployment[] | undefined): FilterChip[] {
  const chips: FilterChip[] = []
  if (state.status !== 'all')
    chips.push({ label: `Status: ${deploymentStatusChips[state.status].label}`, without: { status: 'all' } })
  if (state.site) {
    const row = rows?.find((each) => each.site_id === state.site)
    chips.push({ label: `Site: ${row?.site_name ?? state.site}`, without: { site: '' } })
  }
  if (state.customer) {
    const row = rows?.find((each) => each.customer_id === state.customer)
    chips.push({ label: `Customer: ${row?.customer_name ?? state.customer}`, without: { customer: '' } })
  }
  return chips
}
