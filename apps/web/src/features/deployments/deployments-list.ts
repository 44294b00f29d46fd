import * as deployments from '@agency/contract/descriptors/deployments'
import { q } from '../../lib/api.ts'
import { chosenOf, defineList } from '../../lib/list/define-list.ts'
import { deploymentsSearch } from './deployments-search.ts'

/** What an act on a deployment makes stale. */
export const deploymentReads = [deployments.listDeployments, deployments.getDeployment]

const filters = ['search', 'status', 'site', 'customer'] as const

export const deploymentsList = defineList({
  search: deploymentsSearch,
  filters,
  details: ['view', 'line'],
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) =>
    q(deployments.listDeployments, { query: { ...page, ...chosenOf(deploymentsSearch, state, filters) } }),
  rows: (answer) => answer.deployments,
})
