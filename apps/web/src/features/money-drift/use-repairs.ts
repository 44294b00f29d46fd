import * as billing from '@agency/contract/descriptors/billing'
import * as deployments from '@agency/contract/descriptors/deployments'
import * as domains from '@agency/contract/descriptors/domains'
import * as purchaseReset from '@agency/contract/descriptors/purchase-reset'
import * as sites from '@agency/contract/descriptors/sites'
import type { Access, DriftRepair, MoneyDrift } from '@agency/contract/types'
import { useCallback } from 'react'
import { denialOf, useSessionState } from '../../lib/session.ts'
import type { Action } from '../../ui/action.ts'
import { repairs } from './drift-words.ts'

const needs: Record<DriftRepair['kind'], Access> = {
  assign_customer: sites.updateSite.permission,
  suspend_site: sites.suspendSite.permission,
  resume_site: sites.resumeSite.permission,
  deploy_site: deployments.createDeployment.permission,
  delete_site: sites.deleteSite.permission,
  add_site: sites.createSite.permission,
  open_site: sites.getSite.permission,
  open_zone: domains.getDomain.permission,
  open_subscription: billing.getSubscription.permission,
  reset_purchase: purchaseReset.resetPurchase.permission,
}

/** The repairs of a row as links, each with why it is none for whoever asks. */
export function useRepairs(): (row: Pick<MoneyDrift, 'repairs'>) => Action[] {
  const { actor } = useSessionState()
  const held = actor.permissions
  return useCallback(
    (row) =>
      row.repairs.map(({ kind, target }) => {
        const { label, hrefOf } = repairs[kind]
        const denial = denialOf(needs[kind], held)
        return denial === undefined ? { label, href: hrefOf(target) } : { label, disabledReason: denial }
      }),
    [held],
  )
}
