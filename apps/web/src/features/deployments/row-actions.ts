import type { Deployment } from '@agency/contract/types'
import { isOpenDeployment } from '../../lib/deployment-status.ts'
import { paths } from '../../lib/paths.ts'
import type { Action } from '../../ui/action.ts'

export type Act = { kind: 'cancel' | 'retry' | 'rollback'; deployment: Deployment }

type Options = {
  /** Why the actor may not deploy, or undefined. */
  denial: string | undefined
  onAct: (act: Act) => void
}

export function deploymentActions(row: Deployment, { denial, onAct }: Options): Action[] {
  const act = (label: string, kind: Act['kind'], more: Partial<Action> = {}): Action => ({
    label,
    disabledReason: denial ?? row.can[kind] ?? undefined,
    onSelect: () => onAct({ kind, deployment: row }),
    ...more,
  })
  return [
    { label: 'View Details', href: paths.deployment(row.id) },
    { label: 'View Log', href: paths.deploymentLog(row.id) },
    { label: 'View Site', href: paths.site(row.site_id) },
    ...(isOpenDeployment(row.status)
      ? [act('Cancel Deployment', 'cancel', { destructive: true, divider: true })]
      : [act('Retry', 'retry', { divider: true }), act('Roll back to this version', 'rollback')]),
  ]
}

/** Why one of several is left out, or undefined. */
export const cancelBlock = ({ status, can }: Deployment): string | undefined =>
  isOpenDeployment(status) ? (can.cancel ?? undefined) : 'Already ended'
export const retryBlock = ({ status, can }: Deployment): string | undefined =>
  isOpenDeployment(status) ? 'Still running' : (can.retry ?? undefined)
