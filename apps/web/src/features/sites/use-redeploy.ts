import { deployments, type Site, sites } from '@agency/contract/descriptors'
import { paths } from '../../lib/paths.ts'
import { useKeyedCall } from '../../lib/use-keyed-call.ts'
import { useToast } from '../../ui/Toast.tsx'

const reads = [sites.listSites, sites.getSite, deployments.listDeployments]

/** Queues a deployment: a press while one is being asked for is the same one, as is a try after a lost answer. */
export function useRedeploy() {
  const create = useKeyedCall(deployments.createDeployment, reads)
  const toast = useToast()
  const run = (site: Pick<Site, 'id' | 'site_name'>) =>
    create.run(
      { params: { id: site.id } },
      {
        onSuccess: ({ deployment, is_repeat }) => {
          const text = is_repeat
            ? `A deployment of ${site.site_name} is waiting already`
            : `Deployment of ${site.site_name} queued`
          toast.success(text, { label: 'View log', href: paths.deployment(deployment.id) })
        },
        onError: (error) => toast.error(`${site.site_name} was not deployed`, error),
      },
    )
  return { run, isPending: create.isPending }
}
