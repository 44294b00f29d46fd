import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import * as deployments from '@agency/contract/descriptors/deployments'
import * as domainAnalytics from '@agency/contract/descriptors/domain-analytics'
import * as invoices from '@agency/contract/descriptors/invoices'
import * as sites from '@agency/contract/descriptors/sites'
import type { Permission } from '@agency/contract/types'
import { call, type Endpoint } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { ApiError } from '../../lib/problems.ts'
import { denialOf } from '../../lib/session.ts'
import { deploySite } from './commands.ts'
import type { Item } from './items.ts'
import { best } from './rank.ts'
import type { Tools } from './tools.ts'

type PageAction = {
  title: string
  /** Other words for it. */
  words: string
  endpoint: Endpoint
  leads: (id: string) => Pick<Item, 'href' | 'run'>
}

/** What can be done with the thing that is open on a screen. */
const pageActions: Readonly<Record<string, readonly PageAction[]>> = {
  [paths.payments]: [
    {
      title: 'Refund this payment',
      words: 'money back return issue',
      endpoint: billing.refundPayment,
      leads: (id) => ({ run: ({ open }) => open({ refund: id }) }),
    },
  ],
  [paths.subscriptions]: [
    {
      title: 'Cancel this subscription',
      words: 'end stop',
      endpoint: billingChanges.cancelSubscription,
      leads: (id) => ({ run: ({ open }) => open({ cancel: id }) }),
    },
  ],
  [paths.sites]: [
    {
      title: 'Deploy this site',
      words: 'redeploy build publish',
      endpoint: deployments.createDeployment,
      leads: (id) => ({ run: (tools) => deployOpen(tools, id) }),
    },
    {
      title: 'Edit this site',
      words: 'change rename',
      endpoint: sites.updateSite,
      leads: (id) => ({ href: paths.siteAct(id, 'edit') }),
    },
    {
      title: 'Deployments of this site',
      words: 'history builds versions',
      endpoint: deployments.listDeployments,
      leads: (id) => ({ href: paths.siteDeployments(id) }),
    },
  ],
  [paths.deployments]: [
    {
      title: 'Log of this deployment',
      words: 'output build',
      endpoint: deployments.readDeploymentLog,
      leads: (id) => ({ href: paths.deploymentLog(id) }),
    },
  ],
  [paths.domains]: [
    {
      title: 'Analytics of this domain',
      words: 'traffic visits requests',
      endpoint: domainAnalytics.getZoneAnalytics,
      leads: (id) => ({ href: paths.domainAnalytics(id) }),
    },
  ],
  [paths.customers]: [
    {
      title: 'Suspend this customer',
      words: 'account pause block',
      endpoint: customerLifecycle.suspendCustomer,
      leads: (id) => ({ href: paths.customerSuspension(id) }),
    },
    {
      title: 'Invoices of this customer',
      words: 'bills owes',
      endpoint: invoices.listCustomerInvoices,
      leads: (id) => ({ href: paths.customerInvoices(id) }),
    },
  ],
}

/** What can be done with what is open now, as far as somebody may; all of it for an empty term. */
export function pageItems(term: string, { pathname, search }: Place, held: readonly Permission[]): Item[] {
  const id = new URLSearchParams(search).get('open')
  if (!id) return []
  const allowed = (pageActions[pathname] ?? []).filter(({ endpoint }) => !denialOf(endpoint.permission, held))
  return best(allowed, term).map(({ title, leads, place }) => ({
    ...{ key: `page:${title}`, title, place },
    ...leads(id),
  }))
}

export type Place = { pathname: string; search: string }

async function deployOpen(tools: Tools, id: string): Promise<void> {
  try {
    const { site } = await call(sites.getSite, { params: { id } })
    await deploySite(tools, { id, name: site.site_name })
  } catch (error) {
    tools.toast.error('The site was not deployed', error instanceof ApiError ? error : undefined)
  }
}
