import * as deployments from '@agency/contract/descriptors/deployments'
import { q } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { readState } from '../../lib/search-state.ts'
import { type DeploymentsSearch, deploymentsSearch } from './deployments-search.ts'

/** What an act on a deployment makes stale. */
export const deploymentReads = [deployments.listDeployments, deployments.getDeployment]

export const deploymentsPaging = { sizes: [10, 25, 50], initialSize: 25 }

export function deploymentsList(page: PageQuery, state: DeploymentsSearch) {
  return q(deployments.listDeployments, {
    query: {
      ...page,
      search: state.search || undefined,
      status: state.status === 'all' ? undefined : state.status,
      site: state.site || undefined,
      customer: state.customer || undefined,
    },
  })
}

/** What the screen asks first, read from its address. */
export function deploymentsQueries(params: URLSearchParams) {
  return [deploymentsList(readPaging(params, deploymentsPaging), readState(deploymentsSearch, params))]
}
