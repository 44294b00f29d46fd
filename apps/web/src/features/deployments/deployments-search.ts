import type { Deployment, DeploymentStatus } from '@agency/contract/types'
import { deploymentStatusChips } from '../../lib/deployment-status.ts'
import { chipsOf } from '../../lib/list/define-list.ts'
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

export const statusChoices: readonly Choice[] = [
  { value: 'all', label: 'All' },
  ...statuses.map((value) => ({ value, label: deploymentStatusChips[value].label })),
]

/** `/admin/deployments?open=…#L120` names a line too. */
export function lineOfHash(hash: string): number | null {
  const number = Number(/^#L([1-9]\d{0,8})$/.exec(hash)?.[1])
  return Number.isInteger(number) ? number : null
}

export const deploymentChips = (state: DeploymentsSearch, rows: readonly Deployment[] | undefined) =>
  chipsOf(deploymentsSearch, state, {
    status: (status) => `Status: ${deploymentStatusChips[status].label}`,
    site: (id) => `Site: ${rows?.find((each) => each.site_id === id)?.site_name ?? id}`,
    customer: (id) => `Customer: ${rows?.find((each) => each.customer_id === id)?.customer_name ?? id}`,
  })
