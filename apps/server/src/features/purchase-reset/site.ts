import type { PurchaseData, PurchasedSite } from '@agency/contract/types'
import { productionUrlOf, siteNameOf, statusOf } from '../purchases/index.ts'
import type { SiteRecord } from './queries/sites.ts'
import { refusalOf } from './reset-rules.ts'

const inOneLine = (text: string | null | undefined): string | null => text?.replace(/\s+/g, ' ').trim() || null

const metadataText = (metadata: Record<string, string>, ...keys: string[]): string | null =>
  keys.map((key) => inOneLine(metadata[key])).find((text) => text !== null) ?? null

/** As the shop wrote them: separated by commas, or as a JSON list. */
export function domainsOf(text: string | null): string[] {
  if (text === null) return []
  return domainTexts(text).flatMap((domain) => inOneLine(domain) ?? [])
}

function domainTexts(text: string): string[] {
  if (!text.startsWith('[')) return text.split(',')
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter((domain) => typeof domain === 'string') : []
  } catch {
    return text.split(',')
  }
}

/** Written by whoever writes metadata, so that only what is a number of years is one. */
const yearsOf = (text: string | null): number | null => (text !== null && /^\d{1,3}$/.test(text) ? Number(text) : null)

export function purchaseDataOf(record: SiteRecord): PurchaseData {
  const { metadata } = record
  return {
    timestamp: record.created_at,
    customerEmail: record.customer_email,
    customerName: inOneLine(record.buyer_name) ?? inOneLine(record.customer_name),
    businessName: metadataText(metadata, 'business_name', 'businessName'),
    amount: record.amount,
    currency: record.currency,
    selectedDomains: domainsOf(metadataText(metadata, 'selected_domains', 'selectedDomains')),
    hostingYears: yearsOf(metadataText(metadata, 'hosting_years', 'hostingYears')),
    stripeSessionId: record.id,
  }
}

export function toSite(record: SiteRecord): PurchasedSite {
  return {
    id: record.id,
    siteId: record.site_id,
    siteName: siteNameOf(record),
    productionUrl: productionUrlOf(record.metadata),
    status: statusOf(record),
    mode: record.is_test ? 'test' : 'live',
    refundedAmount: record.refunded_amount,
    refusal: refusalOf(record),
    data: purchaseDataOf(record),
  }
}
