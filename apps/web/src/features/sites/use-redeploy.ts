import * as deployments from '@agency/contract/descriptors/deployments'
import * as sites from '@agency/contract/descriptors/sites'
import type { Site } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { useCall } from '../../lib/use-call.ts'

const reads = [sites.listSites, sites.getSite, deployments.listDeployments]

/** Queues a deployment: a press while one is being asked for is the same one, as is a try after a lost answer. */
export function useRedeploy() {
  const create = useCall(deployments.createDeployment, reads)
  const run = (site: Pick<Site, 'id' | 'site_name'>) =>
    create.mutate(
      { params: { id: site.id } },
      {
        success: (toast, { deployment, is_repeat }) => {
          const text = is_repeat ? `${site.site_name} is already queued` : `Deploying ${site.site_name}`
          toast.success(text, { label: 'View log', href: paths.deployment(deployment.id) })
        },
        failure: `${site.site_name} was not deployed`,
      },
    )
  return { run, isPending: create.isPending }
}
