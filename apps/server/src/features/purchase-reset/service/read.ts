import type { purchaseReset } from '@agency/contract'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { getSiteConfig as configEndpoint, previewPurchaseReset } from '@agency/contract/purchase-reset'
import type { Money, PurchasedSite } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { productionUrlOf, siteNameOf } from '../../purchases/index.ts'
import { findResets } from '../queries/resets.ts'
import { findPurchasedSites, findSiteNames, findSites } from '../queries/sites.ts'
import { toReset } from '../reset.ts'
import { toSite } from '../site.ts'

type Contract = typeof purchaseReset

export async function listSites(
  { pool }: RequestContext,
  query: QueryOf<Contract['listPurchasedSites']>,
): Promise<ResponseOf<Contract['listPurchasedSites']>> {
  const page = await findPurchasedSites(pool, query)
  return { ...page, sites: page.sites.map(toSite) }
}

export async function listResets(
  { pool, clock }: RequestContext,
  query: QueryOf<Contract['listPurchaseResets']>,
): Promise<ResponseOf<Contract['listPurchaseResets']>> {
  const page = await findResets(pool, query)
  const now = clock()
  return { ...page, resets: page.resets.map((record) => toReset(record, now)) }
}

export async function previewReset(
  { db }: RequestContext,
  purchaseIds: readonly string[],
): Promise<ResponseOf<typeof previewPurchaseReset>> {
  const known = new Map((await findSites(db, purchaseIds)).map((record) => [record.id, toSite(record)]))
  const asked = purchaseIds.map((id) => ({ id, site: known.get(id) }))
  const sites = asked.flatMap(({ site }) => (site?.refusal === null ? [site] : []))
  return {
    sites,
    refused: asked.flatMap(({ id, site }) => {
      const reason = site ? site.refusal : 'There is no such purchase.'
      return reason === null ? [] : [{ purchaseId: id, siteName: site?.siteName ?? null, reason }]
    }),
    kept: keptMoneyOf(sites),
  }
}

/** What was paid and not refunded, by currency. */
function keptMoneyOf(sites: readonly PurchasedSite[]): Money[] {
  const sums = new Map<string, number>()
  for (const { data, refundedAmount } of sites) {
    if (data.amount === null || refundedAmount === null) continue
    const left = data.amount - refundedAmount
    if (left > 0) sums.set(data.currency, (sums.get(data.currency) ?? 0) + left)
  }
  return [...sums].map(([currency, amount]) => ({ currency, amount }))
}

export async function getSiteConfig({ pool }: RequestContext): Promise<ResponseOf<typeof configEndpoint>> {
  const rows = await findSiteNames(pool)
  return {
    siteConfigurations: Object.fromEntries(
      rows.map((row) => [row.site_id, { siteName: siteNameOf(row), productionUrl: productionUrlOf(row.metadata) }]),
    ),
  }
}
