import type { StripeGateway } from './gateway.ts'

type Linked = { hosted_invoice_url: string | null; invoice_pdf: string | null }

/** A provider on this machine hosts its pages there too, whatever name it gives them. */
export function hostedLink(address: string | null, localOrigin: string | null): string | null {
  if (address === null || localOrigin === null) return address
  const url = URL.parse(address)
  return url && `${localOrigin}${url.pathname}${url.search}`
}

export function withHostedLinks<T extends Linked>(stripe: Pick<StripeGateway, 'localOrigin'> | null, invoice: T): T {
  const origin = stripe?.localOrigin ?? null
  return {
    ...invoice,
    hosted_invoice_url: hostedLink(invoice.hosted_invoice_url, origin),
    invoice_pdf: hostedLink(invoice.invoice_pdf, origin),
  }
}
