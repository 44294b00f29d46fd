import * as deployments from '@agency/contract/descriptors/deployments'
import * as sites from '@agency/contract/descriptors/sites'
import { useDenial } from '../../lib/session.ts'
import type { SiteDenials } from './site-actions.ts'

export function useSiteDenials(): SiteDenials {
  return { write: useDenial(sites.updateSite), deploy: useDenial(deployments.createDeployment) }
}
