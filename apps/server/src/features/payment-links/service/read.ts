import type { paymentLinks } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { PaymentLink } from '@agency/contract/payment-links'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { findLink, findLinkPage, findPrices, type LinkRow, type LinksQuery } from '../queries.ts'
import { lineOf } from '../rules.ts'
import { factsOfLink, toLink } from '../shown.ts'
import { lineText } from '../words.ts'

type Reading = Pick<RequestContext, 'db' | 'stripe'>

export async function listLinks(
  ctx: RequestContext,
  query: LinksQuery,
): Promise<ResponseOf<typeof paymentLinks.listPaymentLinks>> {
  const page = await findLinkPage(ctx.pool, query)
  return { ...page, payment_links: page.payment_links.map((row) => toLink(ctx, row)) }
}

async function getRow({ db }: Pick<Reading, 'db'>, id: string): Promise<LinkRow> {
  const row = await findLink(db, id)
  if (!row) throw notFound(`Payment link ${id}`)
  return row
}

export async function getLink(
  ctx: RequestContext,
  id: string,
): Promise<ResponseOf<typeof paymentLinks.getPaymentLink>> {
  const row = await getRow(ctx, id)
  return { payment_link: toLink(ctx, row), facts: factsOfLink(row) }
}

export const getShownLink = async (ctx: Reading, id: string): Promise<PaymentLink> => toLink(ctx, await getRow(ctx, id))

export async function listPrices(
  ctx: RequestContext,
  search: string | undefined,
): Promise<ResponseOf<typeof paymentLinks.listLinkPrices>> {
  const prices = await findPrices(ctx.db, search)
  return {
    prices: prices.map((price) => {
      const line = lineOf(price, 1)
      return {
        ...{ id: price.id, plan_name: price.plan_name, terms: lineText(line, price.currency) },
        is_recurring: line.interval !== null,
      }
    }),
  }
}
