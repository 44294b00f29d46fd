import * as billing from '@agency/contract/descriptors/billing'
import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import * as deployments from '@agency/contract/descriptors/deployments'
import * as sites from '@agency/contract/descriptors/sites'
import type { Hit, HitKind, Permission } from '@agency/contract/types'
import { call, type Endpoint } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { ApiError } from '../../lib/problems.ts'
import { denialOf } from '../../lib/session.ts'
import { itemOf } from './hit-items.ts'
import type { Item } from './items.ts'
import type { Tools } from './tools.ts'

/** What is done to something that is named after the verb: "deploy harbor dental". */
type Command = {
  verbs: readonly string[]
  /** What it is done to. */
  kind: HitKind
  endpoint: Endpoint
  isPossible?: (hit: Hit) => boolean
  /** A link to where it is done, or the deed itself. */
  leads: (hit: Hit) => Pick<Item, 'href' | 'run'>
}

const commands: readonly Command[] = [
  {
    verbs: ['deploy', 'redeploy'],
    kind: 'site',
    endpoint: deployments.createDeployment,
    isPossible: (hit) => hit.kind === 'site' && hit.status !== 'suspended',
    leads: ({ id, title }) => ({ run: (tools) => deploySite(tools, { id, name: title }) }),
  },
  {
    verbs: ['edit'],
    kind: 'site',
    endpoint: sites.updateSite,
    leads: ({ id }) => ({ href: paths.siteAct(id, 'edit') }),
  },
  {
    verbs: ['refund'],
    kind: 'payment',
    endpoint: billing.refundPayment,
    isPossible: (hit) => hit.kind === 'payment' && hit.status === 'succeeded',
    leads: ({ id }) => ({ run: ({ open }) => open({ refund: id }) }),
  },
  {
    verbs: ['suspend'],
    kind: 'customer',
    endpoint: customerLifecycle.suspendCustomer,
    isPossible: (hit) => hit.kind === 'customer' && !hit.deleted && hit.status !== 'suspended',
    leads: ({ id }) => ({ href: paths.customerSuspension(id) }),
  },
]

export type Asked = { command: Command; verb: string; name: string }

/** The command that a term begins with, for whoever may carry it out, and what it is about. */
export function commandOf(term: string, held: readonly Permission[]): Asked | undefined {
  const [, verb = '', name = ''] = /^(\p{L}+)\s+(\S.*)$/u.exec(term) ?? []
  const command = commands.find(
    ({ verbs, endpoint }) => verbs.includes(verb.toLowerCase()) && !denialOf(endpoint.permission, held),
  )
  return command && { command, verb, name }
}

const capital = (verb: string): string => verb.charAt(0).toUpperCase() + verb.slice(1).toLowerCase()

export function commandItems({ command, verb }: Asked, hits: readonly Hit[]): Item[] {
  const { kind, isPossible = () => true, leads } = command
  return hits
    .filter((hit) => hit.kind === kind && isPossible(hit))
    .flatMap((hit) => {
      const item = itemOf(hit)
      if (!item) return []
      const { href: _, recent: __, ...shown } = item
      return [
        { ...shown, key: `${command.verbs[0]}:${item.key}`, title: `${capital(verb)} ${item.title}`, ...leads(hit) },
      ]
    })
}

/** Queues a deployment and says where it can be followed. */
export async function deploySite({ toast }: Tools, site: { id: string; name: string }): Promise<void> {
  try {
    const { deployment, is_repeat } = await call(
      deployments.createDeployment,
      { params: { id: site.id } },
      { idempotencyKey: crypto.randomUUID() },
    )
    toast.success(is_repeat ? `${site.name} is already queued` : `Deploying ${site.name}`, {
      ...{ label: 'View log', href: paths.deployment(deployment.id) },
    })
  } catch (error) {
    toast.error(`${site.name} was not deployed`, error instanceof ApiError ? error : undefined)
  }
}
