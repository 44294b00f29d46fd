import { deployments, type Site, sites } from '@agency/contract/descriptors'
import { useRef } from 'react'
import { newId } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { useCall } from '../../lib/use-call.ts'
import { useToast } from '../../ui/Toast.tsx'

const reads = [sites.listSites, sites.getSite, deployments.listDeployments]

type Pressed = { site: string; actionId: string }

/** Queues a deployment: a press while one is being asked for is the same one, as is a try after a lost answer. */
export function useRedeploy() {
  const create = useCall(deployments.createDeployment, reads)
  const toast = useToast()
  const pressed = useRef<Pressed>(undefined)
  const busy = useRef(false)

  const run = (site: Pick<Site, 'id' | 'site_name'>) => {
    if (busy.current) return
    busy.current = true
    const { actionId } = pressed.current?.site === site.id ? pressed.current : { actionId: newId() }
    pressed.current = { site: site.id, actionId }
    create.mutate(
      { params: { id: site.id }, idempotencyKey: actionId },
      {
        onSuccess: ({ deployment, is_repeat }) => {
          pressed.current = undefined
          const text = is_repeat
            ? `A deployment of ${site.site_name} is waiting already`
            : `Deployment of ${site.site_name} queued`
          toast.success(text, { label: 'View log', href: paths.deployment(deployment.id) })
        },
        onError: (error) => {
          // Refused for certain: another press is another deployment.
          if (error.status >= 400 && error.status < 500) pressed.current = undefined
          toast.error(`${site.site_name} was not deployed`, error)
        },
        onSettled: () => {
          busy.current = false
        },
      },
    )
  }
  return { run, isPending: create.isPending }
}
