import { deployments, sites } from '@agency/contract/descriptors'
import { useDenial } from '../../lib/session.ts'
import type { SiteDenials } from './site-actions.ts'

export function useSiteDenials(): SiteDenials {
  return { write: useDenial(sites.updateSite), deploy: useDenial(deployments.createDeployment) }
}
